import { z } from '../../domain/zod.js';

/** An object of these options alone. */
function only<Options extends z.ZodRawShape>(options: Options) {
  const names = Object.keys(options).join(' and ');
  return z.strictObject(options).optional().describe(`an object of ${names} alone: other options are not supported`);
}

/** An option with the one value that says what Waymark does anyway. */
function always<Value extends string | number | boolean>(value: Value) {
  return z.literal(value).optional().describe(`${value}, which is what Waymark does`);
}

/**
 * How the hosted API is told to index a file. Nothing can be chosen here: a value that says what Waymark does is
 * accepted, any other is refused.
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
