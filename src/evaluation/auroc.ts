/**
 * Area under the receiver operating characteristic, 0..1: the share of pairs in which the positive is greater than the
 * negative; an equal pair counts half. 0.5 is chance. `undefined` if either list is empty. Hanley & McNeil 1982, "The
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
