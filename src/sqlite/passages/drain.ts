/** Runs all steps of a generator without a pause. Returns its result. */
export function drain<T>(steps: Generator<void, T>): T {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}
