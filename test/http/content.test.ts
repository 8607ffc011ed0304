import { expect, test } from 'vitest';
import { type Sent, send } from '../reliability/raw-http.js';
import { folderOf } from '../support/folder.js';
import { inMilliseconds, later } from '../support/later.js';
import { type Asked, answer, refusal, type Service, serviceOf } from './service.js';

const PUBLIC = { accessPolicies: ['public_content'] };
const MINUTE = 60_000;

/** A request as a browser sends it, without a token. */
function open(address: string | URL, asked: Asked = {}) {
  return answer(new URL(address), asked);
}

async function uploaded(service: Service, options: object = {}, content = 'The kettle is descaled.') {
  return service.put('guides/kettle.md', content, options);
}

test('the url of a file opens its content without a token, for 60 to 75 minutes', async () => {
  const service = await serviceOf();
  const { url } = await uploaded(service);
  expect(await open(url)).toMatchObject({ status: 200, body: 'The kettle is descaled.' });
  later(59 * MINUTE);
  expect((await open(url)).status).toBe(200);
  later(17 * MINUTE);
  const refused = await open(url);
  expect(refusal(refused)).toEqual([403, 403, 'Forbidden']);
  expect(refused.body.message).toBe('This address has expired or is not valid: getFile gives a new url.');
});

test('the url of a public file is permanent', async () => {
  const service = await serviceOf();
  const file = await uploaded(service, { ...PUBLIC, publicContentImmediatelyAccessible: true });
  expect(file.url).toBe(`${service.url}/v1/files/${file.id}/content`);
  expect((await open(file.url)).status).toBe(200);
  await service.ask(`/v1/files/${file.id}`, { method: 'PUT', body: { accessPolicies: [] } });
  expect(refusal(await open(file.url))).toEqual([401, 401, 'Unauthorized']);
});

test('a private content stays private when public content is announced for its file', async () => {
  const service = await serviceOf();
  await uploaded(service);
  const body = { key: 'guides/kettle.md', size: 9, ...PUBLIC };
  const { file } = (await service.ask('/v1/files', { method: 'PUT', body })).body;
  expect(refusal(await open(file.url))).toEqual([401, 401, 'Unauthorized']);
  await answer(new URL(file.uploadUrl), { method: 'PUT', headers: {}, body: 'A teapot.' });
  expect(await open(file.url)).toMatchObject({ status: 200, body: 'A teapot.' });
});

test('public content is found by the id of its file, not by its key', async () => {
  const service = await serviceOf();
  await uploaded(service, PUBLIC);
  const missing = await open(`${service.url}/v1/files/guides%2Fkettle.md/content`);
  expect(refusal(missing)).toEqual([401, 401, 'Unauthorized']);
});

test('an address opens one file only, and nothing of it can be changed', async () => {
  const service = await serviceOf();
  const [one, other] = [await uploaded(service), await service.put('other.md', 'Another text.')];
  const { search, searchParams } = new URL(one.url);
  const later = String(Number(searchParams.get('expires')) + 1);
  const signature = String(searchParams.get('signature'));
  const altered = `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
  const addresses = [
    `${service.url}/v1/files/${other.id}/content${search}`,
    one.url.replace(/expires=\d+/, `expires=${later}`),
    one.url.replace(signature, altered),
    one.url.replace(signature, ''),
    one.url.replace(/expires=\d+&/, ''),
    `${one.url}&signature=${signature}`,
    `${service.url}/v1/files/file_0/content${search}`,
  ];
  for (const address of addresses) expect(refusal(await open(address)), address).toEqual([403, 403, 'Forbidden']);
});

test('an address works after a restart, and no longer once its file is deleted or has expired', async () => {
  const database = `${folderOf()}/waymark.db`;
  const first = await serviceOf({}, { database });
  const kept = await uploaded(first);
  const expiring = await first.put('b.md', 'text', { expiresAt: inMilliseconds(30 * MINUTE) });
  await first.close();
  const service = await serviceOf({}, { database });
  const address = (url: string) => url.replace(first.url, service.url);
  expect((await open(address(kept.url))).body).toBe('The kettle is descaled.');
  expect((await open(address(expiring.url))).body).toBe('text');
  later(40 * MINUTE);
  expect((await open(address(expiring.url))).status).toBe(403);
  await service.ask(`/v1/files/${kept.id}`, { method: 'DELETE' });
  expect((await open(address(kept.url))).status).toBe(403);
});

test('content that is not uploaded yet is 404', async () => {
  const service = await serviceOf();
  const { file } = (await service.ask('/v1/files', { method: 'PUT', body: { key: 'a.md', size: 1 } })).body;
  expect(refusal(await open(file.url))).toEqual([404, 404, 'ResourceNotFound']);
});

test.each([
  ['bytes=4-9', 206, 'kettle', 'bytes 4-9/23'],
  ['bytes=-9', 206, 'descaled.', 'bytes 14-22/23'],
  ['bytes=20-', 206, 'ed.', 'bytes 20-22/23'],
  ['bytes=0-0', 206, 'T', 'bytes 0-0/23'],
  ['bytes=0-999', 206, 'The kettle is descaled.', 'bytes 0-22/23'],
  ['bytes=-999', 200, 'The kettle is descaled.', null],
  ['bytes=-23', 200, 'The kettle is descaled.', null],
  ['bytes=0-1,4-5', 200, 'The kettle is descaled.', null],
  ['lines=1-2', 200, 'The kettle is descaled.', null],
  ['nonsense', 200, 'The kettle is descaled.', null],
  ['bytes=3-1', 200, 'The kettle is descaled.', null],
  ['bytes=3-2', 200, 'The kettle is descaled.', null],
  ['bytes=0-1,3-1', 200, 'The kettle is descaled.', null],
  ['bytes=-', 200, 'The kettle is descaled.', null],
  ['BYTES=4-9', 206, 'kettle', 'bytes 4-9/23'],
])('Range: %s is answered with %i', async (range, status, body, contentRange) => {
  const service = await serviceOf();
  const { url } = await uploaded(service);
  const got = await open(url, { headers: { range } });
  expect([got.status, got.body, got.headers.get('content-range')]).toEqual([status, body, contentRange]);
  expect(got.headers.get('accept-ranges')).toBe('bytes');
});

test('a range after the end of the content is 416, and says how long the content is', async () => {
  const service = await serviceOf();
  const { url } = await uploaded(service);
  const refused = await open(url, { headers: { range: 'bytes=23-' } });
  expect(refusal(refused)).toEqual([416, 416, 'InvalidQuery']);
  expect(refused.headers.get('content-range')).toBe('bytes */23');
  expect(refused.body.message).toBe('Range must begin within the 23 bytes of the content; it is bytes=23-.');
  // Saved under the name of the file, the refusal would be taken for it.
  expect(refused.headers.get('content-disposition')).toBe(null);
});

test.each([
  ['"a",\tTAG', 304],
  ['"a" , W/TAG', 304],
  ['"a,b", TAG', 304],
  ['*', 304],
  ['"a"', 200],
  ['"a,TAG', 200],
])('If-None-Match: %s is answered with %i', async (list, status) => {
  const service = await serviceOf();
  const { url } = await uploaded(service, PUBLIC);
  const got = (headers: Record<string, string>) => send(url, { method: 'GET', path: new URL(url).pathname, headers });
  const etag = String((await got({})).headers.etag);
  expect((await got({ 'if-none-match': list.replace('TAG', etag) })).status).toBe(status);
});

test.each([
  ['bytes=0-', 416],
  ['bytes=-0', 416],
  ['bytes=-1', 200],
])('of an empty content, Range: %s is answered with %i', async (range, status) => {
  const service = await serviceOf();
  const { url } = await uploaded(service, {}, '');
  expect((await open(url, { headers: { range } })).status).toBe(status);
});

test('content that the caller already has is 304, until it changes', async () => {
  const service = await serviceOf();
  const { url, id } = await uploaded(service, PUBLIC);
  const got = (headers: Sent['headers'] = {}) => send(url, { method: 'GET', path: new URL(url).pathname, headers });
  const etag = String((await got()).headers.etag);
  expect(etag).toMatch(new RegExp(`^"${id}-[\\da-f]+"$`));
  expect(await got({ 'if-none-match': etag })).toMatchObject({ status: 304, text: '' });
  const head = await open(url, { method: 'HEAD', headers: { 'if-none-match': etag } });
  expect([head.status, head.headers.get('etag'), head.headers.get('content-length')]).toEqual([304, etag, null]);
  // As `fetch` sends it.
  const asked = { 'if-none-match': etag, 'cache-control': 'no-cache' };
  expect(await got(asked)).toMatchObject({ status: 304, text: '' });
  const part = { range: 'bytes=0-2', 'if-range': etag };
  expect(await got(part)).toMatchObject({ status: 206, text: 'The' });
  await service.ask(`/v1/files/${id}`, { method: 'PUT', body: { tags: { kind: 'note' } } });
  expect(await got({ 'if-none-match': etag })).toMatchObject({ status: 304, text: '' });
  await uploaded(service, PUBLIC, 'The valve.');
  expect(await got({ 'if-none-match': etag })).toMatchObject({ status: 200, text: 'The valve.' });
  expect(await got(part)).toMatchObject({ status: 200, text: 'The valve.' });
});

test('a range of content that has changed since its beginning was read is 412', async () => {
  const service = await serviceOf();
  const { url } = await uploaded(service, PUBLIC);
  const etag = String((await open(url)).headers.get('etag'));
  const rest = (match: string) => open(url, { headers: { range: 'bytes=4-', 'if-match': match } });
  for (const match of [etag, '*', `"other", ${etag}`]) {
    expect(await rest(match)).toMatchObject({ status: 206, body: 'kettle is descaled.' });
  }
  expect((await rest(`W/${etag}`)).status).toBe(412);
  await uploaded(service, PUBLIC, 'The valve.');
  const refused = await rest(etag);
  expect(refusal(refused)).toEqual([412, 412, 'InvalidQuery']);
  expect(refused.body.message).toBe(
    `The content has changed: If-Match must be ${refused.headers.get('etag')}; it is ${etag}. Read it from its beginning.`,
  );
});

test.each([
  ['a.md', 'text/markdown', 'inline; filename=a.md', 'text/markdown; charset=utf-8'],
  [
    'b/漢 "1".txt',
    'text/plain',
    `inline; filename="? \\"1\\".txt"; filename*=UTF-8''%E6%BC%A2%20%221%22.txt`,
    'text/plain; charset=utf-8',
  ],
  ['c.txt', 'text/plain; charset=latin1', 'inline; filename=c.txt', 'text/plain; charset=latin1'],
  ['d.png', 'image/png', 'inline; filename=d.png', 'image/png'],
  ['e.html', 'text/html', 'attachment; filename=e.html', 'text/html; charset=utf-8'],
  ['f.svg', 'image/svg+xml', 'attachment; filename=f.svg', 'image/svg+xml'],
  ['g.js', 'text/javascript', 'attachment; filename=g.js', 'text/javascript; charset=utf-8'],
  ['h.xml', 'application/xhtml+xml', 'attachment; filename=h.xml', 'application/xhtml+xml'],
])('%s as %s is shown or saved, and never runs', async (key, contentType, disposition, type) => {
  const service = await serviceOf();
  const { url } = await service.put(key, '<script>1</script>', { contentType, index: false });
  const { headers } = await open(url);
  expect([headers.get('content-disposition'), headers.get('content-type')]).toEqual([disposition, type]);
  expect([headers.get('x-content-type-options'), headers.get('content-security-policy')]).toEqual([
    'nosniff',
    "default-src 'none'; sandbox",
  ]);
});

test('HEAD answers as GET does, without the bytes', async () => {
  const service = await serviceOf();
  const { url } = await uploaded(service);
  // A range is for GET.
  for (const asked of [{}, { range: 'bytes=0-4' }, { range: 'bytes=100-' }]) {
    const { status, headers, body } = await open(url, { method: 'HEAD', headers: asked });
    expect([status, headers.get('content-length'), body]).toEqual([200, '23', '']);
  }
});

test('a large content is read whole, in ranges across its parts, and with its length by HEAD', async () => {
  const service = await serviceOf();
  const content = Buffer.from(Array.from({ length: 600 << 10 }, (_, i) => (i * 7 + (i >> 8)) & 0xff));
  const { url } = await service.put('a.bin', content, { index: false });
  const read = async (init: RequestInit) => {
    const response = await fetch(url, init);
    return { response, bytes: Buffer.from(await response.arrayBuffer()) };
  };
  expect(content.equals((await read({})).bytes)).toBe(true);
  const { response, bytes } = await read({ headers: { range: 'bytes=262000-530000' } });
  expect([response.status, response.headers.get('content-range')]).toEqual([206, 'bytes 262000-530000/614400']);
  expect(content.subarray(262000, 530001).equals(bytes)).toBe(true);
  const head = await read({ method: 'HEAD' });
  expect([head.response.headers.get('content-length'), head.bytes.length]).toEqual(['614400', 0]);
});

test.each([
  ['UTF-8, with a character across two parts', Buffer.from(`x${'ä'.repeat(200_000)}`), 'text/plain; charset=utf-8'],
  ['Windows-1252 far behind the beginning', Buffer.concat([Buffer.alloc(300_000, 'x'), Buffer.of(0xe4)]), 'text/plain'],
  ['an unfinished character at the end', Buffer.concat([Buffer.alloc(300_000, 'x'), Buffer.of(0xc3)]), 'text/plain'],
])('the type of a text names UTF-8 where all of it is: %s', async (_, content, type) => {
  const service = await serviceOf();
  const { url } = await service.put('a.txt', content, { index: false });
  expect((await fetch(url)).headers.get('content-type')).toBe(type);
});

test('a private copy that replaces public content is never public', async () => {
  const { ask, url, put } = await serviceOf();
  await put('secret.md', 'The secret.');
  await ask('/v1/files/secret.md/passages', { method: 'PUT', body: { passages: [{ content: 'The secret.' }] } });
  const seen: unknown[] = [];
  for (let copies = 0; copies < 5; copies++) {
    const open = await put('open.md', 'Known to all.', { accessPolicies: ['public_content'] });
    let isCopied = false;
    const body = { overwrite: true };
    const copying = ask('/v1/files/secret.md/open.md', { method: 'POST', body }).then(() => {
      isCopied = true;
    });
    while (!isCopied) seen.push((await answer(new URL(open.url, url), {})).body);
    await copying;
  }
  expect(seen).toContain('Known to all.');
  expect(seen.filter((body) => body === 'The secret.')).toEqual([]);
});
