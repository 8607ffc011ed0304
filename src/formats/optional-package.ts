/** Loads a package that only one format needs. Throws an Error that says what to install if it is missing. */
export async function optionalPackage<Module>(
  name: string,
  { of, load }: { readonly of: string; readonly load: () => Promise<Module> },
): Promise<Module> {
  try {
    return await load();
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    throw new Error(`${of} is read by the package ${name}, which is not installed: run "npm install ${name}"`, {
      cause,
    });
  }
}
