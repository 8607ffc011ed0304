/** What a server listens on. */
export interface ListenOptions {
  readonly host: string;
  readonly port: number;
}

/** Starts listening. An error names the option that helps. */
export async function listen<T>(start: () => Promise<T>, { host, port }: ListenOptions): Promise<T> {
  try {
    return await start();
  } catch (error) {
    switch ((error as NodeJS.ErrnoException).code) {
      case 'EADDRINUSE':
        throw new Error(
          `Port ${port} of ${host} is already in use. Stop the program that uses it, or choose another with --port.`,
          { cause: error },
        );
      case 'EACCES':
        throw new Error(`Port ${port} needs elevated privileges. Choose one above 1023 with --port.`, { cause: error });
      case 'EADDRNOTAVAIL':
      case 'ENOTFOUND':
        throw new Error(`${host} is not an address of this machine. Choose one with --host, such as 127.0.0.1.`, {
          cause: error,
        });
      case 'EINVAL':
        throw new Error(
          `The system does not listen on ${host}. Choose another address with --host, such as 127.0.0.1; ` +
            'a link-local one needs its interface, as in fe80::1%eth0.',
          { cause: error },
        );
      default:
        throw error;
    }
  }
}
