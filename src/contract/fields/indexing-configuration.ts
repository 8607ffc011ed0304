import { z } from '../../domain/zod.js';

/** An object of these options alone. */
function only<Options extends z.ZodRawShape>(options: Options) {
  const names = Object.keys(options).join(' and ');
  return z.strictObject(options).optional().describe(`an object of ${names} alone: other options are not supported`);
}

/** An option that accepts one value only: what Waymark always does. */
function always<Value extends string | number | boolean>(value: Value) {
  return z.literal(value).optional().describe(`${value}, which is what Waymark does`);
}

/**
 * How the hosted API is told to index a file. Waymark offers no choice: it accepts the values that describe what it
 * does, and refuses all others.
 */
export const indexingSchema = z
  .strictObject({
    configuration: z
      .strictObject({
        parsing: only({ mode: always('standard'), smartCleanup: always(false) }),
        chunking: only({ embedBreadcrumb: always(true), embeddedContextLevels: always(0) }),
        summarization: only({ enable: always(false), generateMasterSummary: always(false) }),
        vision: only({ transcribePages: always(false), indexPages: always(false) }),
      })
      .describe('an object of parsing, chunking, summarization and vision alone: other options are not supported'),
  })
  .optional()
  .describe('an object with a configuration');
