import type { FastifyInstance } from 'fastify';

/** Starts listening and returns the URL. An error names the option that helps. */
export async function listen(
  app: FastifyInstance,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<string> {
  try {
    return await app.listen({ host, port });
  } catch (error) {
    switch ((error as NodeJS.ErrnoException).code) {
      case 'EADDRINUSE':
        throw new Error(
          `Port ${port} of ${host} is already in use. Stop the program that uses it, or choose another with --port.`,
        );
      case 'EACCES':
        throw new Error(`Port ${port} needs elevated privileges. Choose one above 1023 with --port.`);
      case 'EADDRNOTAVAIL':
      case 'ENOTFOUND':
        throw new Error(`${host} is not an address of this machine. Choose one with --host, such as 127.0.0.1.`);
      case 'EINVAL':
        throw new Error(
          `The system does not listen on ${host}. Choose another address with --host, such as 127.0.0.1; ` +
            'a link-local one needs its interface, as in fe80::1%eth0.',
        );
      default:
        throw error;
    }
  }
}
