/** Two mean cosines of a model, which put its similarities on a scale common to all models. */
export interface SimilarityScale {
  /** Mean cosine of a question and an unrelated passage. */
  readonly unrelated: number;
  /** Mean cosine of a question and the passage that answers it; greater than `unrelated`. */
  readonly related: number;
}
