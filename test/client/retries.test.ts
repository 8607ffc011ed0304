import { expect, test } from 'vitest';
import { createClient, type WaymarkClient } from 'waymark';
import { FILE, refused } from './support/recorded.js';
import { type Answer, wire } from './support/wire.js';

const FOUND: Answer = { body: { file: FILE } };
const GET = 'GET /v1/files/a.md';
const PUT = 'PUT /v1/files/a.md';

function limited(headers: Readonly<Record<string, string>>): Answer {
  return { ...refused(429, { type: 'RateLimited', message: 'Ask again in 3 seconds.' }), headers };
}

function broken(status: number): Answer {
  return { status, body: '<html>' };
}

function read(client: WaymarkClient): Promise<unknown> {
  return client.getFile({ id: 'a.md' });
}

function write(client: WaymarkClient): Promise<unknown> {
  return client.updateFileMetadata({ id: 'a.md', tags: { a: 'b' } });
}

test('a request refused for its rate is sent again shortly after the time that the server names', async () => {
  for (const [ask, line] of [
    [read, GET],
    [write, PUT],
  ] as const) {
    const answers = [limited({ 'RateLimit-Reset': '3' }), limited({ 'Retry-After': '60' }), FOUND];
    const { client, lines, waits } = await wire(answers, { random: 0.5 });
    expect(await ask(client)).toEqual({ file: FILE });
    expect([lines, waits]).toEqual([
      [line, line, line],
      [3125, 60_125],
    ]);
  }
});

test('without a time in seconds, the wait for the rate is one second', async () => {
  const { client, waits } = await wire([limited({}), limited({ 'RateLimit-Reset': 'soon' }), FOUND]);
  await read(client);
  expect(waits).toEqual([1000, 1000]);
});

test('the time in Retry-After takes precedence over that in RateLimit-Reset', async () => {
  const both = limited({ 'RateLimit-Reset': '50', 'Retry-After': '1' });
  const { client, waits } = await wire([both, FOUND]);
  await read(client);
  expect(waits).toEqual([1000]);
});

test('a wait of more than a minute is an error at once', async () => {
  const { client, lines, waits } = await wire([limited({ 'RateLimit-Reset': '61' })]);
  await expect(read(client)).rejects.toMatchObject({ code: 'RATE_LIMITED', message: 'Ask again in 3 seconds.' });
  expect([lines, waits]).toEqual([[GET], []]);
});

test('a wait that is named by a date ends at that date, by the clock of the server', async () => {
  const at = (retryAfter: string) => limited({ Date: 'Wed, 01 Jan 2020 00:00:00 GMT', 'Retry-After': retryAfter });
  const past = at('Tue, 31 Dec 2019 23:00:00 GMT');
  const { client, waits } = await wire([at('Wed, 01 Jan 2020 00:00:40 GMT'), past, FOUND]);
  await read(client);
  expect(waits).toEqual([40_000, 0]);
  const noDate = await wire([at('Wed, 99 Jan 2020 00:00:40 GMT'), at('2020-01-01'), FOUND]);
  await read(noDate.client);
  expect(noDate.waits).toEqual([1000, 1000]);
  const late = await wire([at('Wed, 01 Jan 2020 00:01:01 GMT')]);
  await expect(read(late.client)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  expect([late.lines, late.waits]).toEqual([[GET], []]);
});

test.each([
  ['of RFC 850', 'Wednesday, 01-Jan-20 00:00:00 GMT', 'Wednesday, 01-Jan-20 00:00:40 GMT'],
  ['of asctime', 'Wed Jan  1 00:00:00 2020', 'Wed Jan  1 00:00:40 2020'],
])('a date in the form %s is read as one', async (_, now, end) => {
  const { client, waits } = await wire([limited({ Date: now, 'Retry-After': end }), FOUND]);
  await read(client);
  expect(waits).toEqual([40_000]);
});

test('a number of seconds with any number of digits is a wait, and a negative one is none', async () => {
  const endless = await wire([limited({ 'Retry-After': '99999999999999999999' })]);
  await expect(read(endless.client)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  expect(endless.waits).toEqual([]);
  const negative = await wire([limited({ 'Retry-After': '-5' }), FOUND]);
  await read(negative.client);
  expect(negative.waits).toEqual([1000]);
});

test('a GET that is refused for a time is sent again after that time', async () => {
  const refusedFor = (seconds: string) => ({ status: 503, body: '<html>', headers: { 'Retry-After': seconds } });
  const { client, waits } = await wire([refusedFor('5'), refusedFor('0'), FOUND], { random: 0.5 });
  expect(await read(client)).toEqual({ file: FILE });
  expect(waits).toEqual([5125, 750]);
  const long = await wire([refusedFor('61')]);
  await expect(read(long.client)).rejects.toMatchObject({ code: 'SERVER_FAILED' });
  expect([long.lines, long.waits]).toEqual([[GET], []]);
  const change = await wire([refusedFor('1')]);
  await expect(write(change.client)).rejects.toMatchObject({ code: 'SERVER_FAILED' });
  expect([change.lines, change.waits]).toEqual([[PUT], []]);
});

test('after the second retry the refusal is thrown', async () => {
  const again = limited({ 'RateLimit-Reset': '1' });
  const { client, lines } = await wire([again, again, again]);
  await expect(read(client)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  expect(lines).toEqual([GET, GET, GET]);
});

test.each([
  [0, [250, 500, 1000, 2000]],
  [0.5, [375, 750, 1500, 3000]],
])(
  'a GET without a proper answer is sent again after a wait that doubles, with a jitter of %d',
  async (random, expected) => {
    const answers: Answer[] = ['break', broken(502), broken(503), broken(504), FOUND];
    const { client, lines, waits } = await wire(answers, { retries: 4, random });
    expect(await read(client)).toEqual({ file: FILE });
    expect([lines, waits]).toEqual([[GET, GET, GET, GET, GET], expected]);
  },
);

test('a change without a proper answer is not sent again: it may have been carried out', async () => {
  for (const answer of ['break', broken(502), broken(503), broken(504)] as const) {
    const { client, lines, waits } = await wire([answer]);
    await expect(write(client)).rejects.toMatchObject({
      code: answer === 'break' ? 'CONNECTION_FAILED' : 'SERVER_FAILED',
    });
    expect([lines, waits]).toEqual([[PUT], []]);
  }
});

test('other refusals are thrown at once', async () => {
  for (const status of [400, 401, 403, 404, 500]) {
    const { client, lines } = await wire([broken(status)]);
    await expect(read(client)).rejects.toMatchObject({ name: 'WaymarkError' });
    expect(lines).toEqual([GET]);
  }
});

test('with retries: 0, every request is sent once', async () => {
  for (const answer of [limited({}), broken(503), 'break'] as const) {
    const { client, lines } = await wire([answer], { retries: 0 });
    await expect(read(client)).rejects.toMatchObject({ name: 'WaymarkError' });
    expect(lines).toEqual([GET]);
  }
});

test('a server that cannot be reached is an error of one sentence with the next step', async () => {
  const client = createClient({ apiUrl: 'http://127.0.0.1:1', token: 't', botId: 'b', retries: 0 });
  await expect(read(client)).rejects.toMatchObject({ name: 'WaymarkError', code: 'CONNECTION_FAILED' });
  const { client: broken, url } = await wire(['break'], { retries: 0 });
  await expect(read(broken)).rejects.toMatchObject({
    code: 'CONNECTION_FAILED',
    message: expect.stringMatching(
      `^The server at ${url} cannot be reached \\((UND_ERR_SOCKET|ECONNRESET)\\): check that it runs \\(waymark serve\\) and that apiUrl is its address\\.$`,
    ),
  });
});
