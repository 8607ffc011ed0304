// Completes package-lock.json after a change of dependencies: `node scripts/lock-platforms.js`.
// If a registry mirror lacks the builds for other platforms, npm omits them from the lock file, and `npm ci` then rejects
// it as out of sync. This adds each missing optional dependency with its exact version and the platform in its name, so
// that npm installs it on that platform only.
import { readFileSync, writeFileSync } from 'node:fs';

const FILE = 'package-lock.json';
const OS = /(?:^|[-/])(aix|android|darwin|freebsd|linuxmusl|linux|netbsd|openbsd|openharmony|sunos|win32)(?=-|$)/;
const CPU = /-(arm64|arm|ia32|loong64|mips64el|ppc64|riscv64|s390x|wasm32|x64)(?:-|$)/;

const lock = JSON.parse(readFileSync(FILE, 'utf8'));
const added = [];
for (let grew = true; grew; ) {
  grew = false;
  for (const [path, entry] of Object.entries(lock.packages)) {
    for (const [name, range] of Object.entries(entry.optionalDependencies ?? {})) {
      if (lock.packages[`${path}/node_modules/${name}`] || lock.packages[`node_modules/${name}`]) continue;
      const version = range.replace(/^[~^]/, '');
      const os = name === 'fsevents' ? 'darwin' : OS.exec(name)?.[1]?.replace('musl', '');
      const cpu = CPU.exec(name)?.[1];
      const musl = /musl/.test(name);
      lock.packages[`node_modules/${name}`] = {
        version,
        ...(cpu && { cpu: [cpu] }),
        ...(entry.dev && { dev: true }),
        ...(os === 'linux' && { libc: [musl ? 'musl' : 'glibc'] }),
        optional: true,
        ...(os && { os: [os] }),
        ...(name.startsWith('@img/sharp-') && !name.includes('libvips') && os !== 'win32' && !name.includes('wasm')
          ? { optionalDependencies: { [name.replace('sharp-', 'sharp-libvips-')]: libvipsVersion(lock) } }
          : {}),
      };
      added.push(name);
      grew = true;
    }
  }
}

function libvipsVersion(from) {
  return Object.values(from.packages['node_modules/@img/sharp-linux-x64'].optionalDependencies)[0];
}

const [root, ...rest] = Object.entries(lock.packages);
lock.packages = Object.fromEntries([root, ...rest.sort(([a], [b]) => (a < b ? -1 : 1))]);
writeFileSync(FILE, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${added.length} builds for other platforms added`);
