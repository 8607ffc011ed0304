import { wrongDimensions } from '../checks/embeddings.js';
import type { DoctorContext } from '../context.js';

/** Corrects the recorded dimensions of models, which their embeddings show. Returns a sentence for each. */
export async function correctDimensions(context: DoctorContext): Promise<string[]> {
  const { connection } = context;
  return connection.write(() =>
    wrongDimensions(context).map(({ model, name, actual }) => {
      connection.prepare(`UPDATE models SET dimensions = ? WHERE number = ?`).run(actual, model);
      return `Corrected the recorded dimensions of ${name} to ${actual}.`;
    }),
  );
}
