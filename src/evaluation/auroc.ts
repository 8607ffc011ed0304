/**
 * The area under the receiver operating characteristic, 0..1: how often one of `positives` is greater than one of
 * `negatives`, an equal pair counting half; 0.5 is chance. Undefined where either has none. Hanley & McNeil 1982, "The
 * meaning and use of the area under a receiver operating characteristic (ROC) curve", Radiology 143(1).
 */
export function auroc(positives: readonly number[], negatives: readonly number[]): number | undefined {
  if (positives.length === 0 || negatives.length === 0) return undefined;
  let greater = 0;
  for (const positive of positives) {
    for (const negative of negatives) {
      if (positive > negative) greater += 1;
      else if (positive === negative) greater += 0.5;
    }
  }
  return greater / (positives.length * negatives.length);
}
