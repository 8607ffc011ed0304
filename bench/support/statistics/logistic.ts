/** One observation of a logistic regression. */
export interface Observation {
  readonly features: readonly number[];
  readonly isTrue: boolean;
  readonly weight: number;
}

/** Newton steps: twice what any of the fits here needs. */
const STEPS = 20;

/** Keeps the weights finite where the features separate the observations. */
const RIDGE = 0.05;

/**
 * Fits a logistic regression by Newton's method. Returns the probability of other features. Hastie, Tibshirani &
 * Friedman 2009, "The Elements of Statistical Learning", 4.4.1.
 */
export function fitLogistic(observations: readonly Observation[]): (features: readonly number[]) => number {
  const width = (observations[0]?.features.length ?? 0) + 1;
  let weights: number[] = Array(width).fill(0);
  for (let step = 0; step < STEPS; step++) {
    const gradient: number[] = weights.map((weight, i) => (i === 0 ? 0 : -RIDGE * weight));
    const hessian: number[][] = weights.map((_, i) => weights.map((__, j) => (i === j ? (i === 0 ? 1e-9 : RIDGE) : 0)));
    for (const { features, isTrue, weight } of observations) {
      const x = [1, ...features];
      const probability = logistic(dot(weights, x));
      for (const [i, value] of x.entries()) {
        gradient[i] = at(gradient, i) + weight * ((isTrue ? 1 : 0) - probability) * value;
        const row = hessian[i] ?? [];
        for (const [j, other] of x.entries()) {
          row[j] = at(row, j) + weight * probability * (1 - probability) * value * other;
        }
      }
    }
    const change = solve(hessian, gradient);
    weights = weights.map((weight, i) => weight + at(change, i));
  }
  return (features) => logistic(dot(weights, [1, ...features]));
}

/** Solves a system of linear equations with a positive definite matrix, by Gaussian elimination. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((row, i) => [...row, at(right, i)]);
  for (const [i, pivot] of rows.entries()) {
    for (const row of rows.slice(i + 1)) {
      const factor = at(row, i) / at(pivot, i);
      for (const [j, value] of pivot.entries()) row[j] = at(row, j) - factor * value;
    }
  }
  const solution: number[] = Array(right.length).fill(0);
  for (let i = right.length - 1; i >= 0; i--) {
    const row = rows[i] ?? [];
    const known = solution.reduce((sum, value, j) => (j > i ? sum + at(row, j) * value : sum), 0);
    solution[i] = (at(row, right.length) - known) / at(row, i);
  }
  return solution;
}

function logistic(x: number): number {
  return 1 / (1 + Math.exp(-x));
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, i) => sum + value * at(b, i), 0);
}

function at(values: readonly number[], index: number): number {
  return values[index] ?? 0;
}
