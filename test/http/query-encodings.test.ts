import { expect, test } from 'vitest';
import { serviceOf } from './service.js';

async function keysOf() {
  const { put, ask } = await serviceOf();
  await put('a.md', 'A kettle.', { tags: { source: 'kb', kbId: 'one' } });
  await put('b.md', 'A kettle.', { tags: { source: 'kb', kbId: 'two' } });
  await put('c.md', 'A kettle.', { tags: { source: 'web', 'kb.id': 'three', constructor: 'x' } });
  return async (query: string) => {
    const { body } = await ask(`/v1/files/search?query=kettle&${query}`);
    return body.passages?.map(({ file }: { file: { key: string } }) => file.key).sort() ?? body.message;
  };
}

test('tags are understood with dots, with brackets and as JSON', async () => {
  const keys = await keysOf();
  const rows = [
    ['', ['a.md', 'b.md', 'c.md']],
    ['tags.source=kb', ['a.md', 'b.md']],
    ['tags.source=kb&tags.kbId=one', ['a.md']],
    ['tags.kbId=one&tags.kbId=two', ['a.md', 'b.md']],
    ['tags.kbId.not=one', ['b.md', 'c.md']],
    ['tags.kbId.not=one&tags.kbId.not=two', ['c.md']],
    ['tags[source]=kb', ['a.md', 'b.md']],
    ['tags[kbId][0]=one&tags[kbId][1]=two', ['a.md', 'b.md']],
    ['tags[kbId][]=one&tags[kbId][]=two', ['a.md', 'b.md']],
    ['tags[kbId][not]=one', ['b.md', 'c.md']],
    ['tags[kbId][not][0]=one', ['b.md', 'c.md']],
    ['tags%5Bsource%5D=kb', ['a.md', 'b.md']],
    [`tags=${encodeURIComponent('{"source":"kb"}')}`, ['a.md', 'b.md']],
    [`tags=${encodeURIComponent('{"kbId":["one","two"]}')}`, ['a.md', 'b.md']],
    [`tags=${encodeURIComponent('{"kbId":{"not":["one","two"]}}')}`, ['c.md']],
    ['tags.kbId.in=one&tags.kbId.in=two', ['a.md', 'b.md']],
    ['tags[kbId][in][0]=one', ['a.md']],
    ['tags.kbId.exists=true', ['a.md', 'b.md']],
    ['tags.kbId.exists=false', ['c.md']],
    ['tags[kbId][exists]=true&tags[kbId][not]=one', ['b.md']],
    ['tags.kbId.not.exists=true', ['c.md']],
    ['tags.kbId.not.in=one', ['b.md', 'c.md']],
    ['tags[kbId][not][exists]=false', ['a.md', 'b.md']],
    [`tags=${encodeURIComponent('{"kbId":{"exists":true}}')}`, ['a.md', 'b.md']],
    [`tags=${encodeURIComponent('{"kbId":{"not":{"exists":true}}}')}`, ['c.md']],
    [`tags=${encodeURIComponent('{"kbId":{"in":["one"]}}')}`, ['a.md']],
    [`tags=${encodeURIComponent('{"kb.id":"three"}')}`, ['c.md']],
    ['tags.constructor=x', ['c.md']],
  ] as const;
  for (const [query, expected] of rows) expect([query, await keys(query)]).toEqual([query, expected]);
});

test.each([
  ['tags.kbId.exist=true', "it is { exist: 'true' }."],
  ['tags[kbId][nin]=one', "it is { nin: 'one' }."],
  [`tags=${encodeURIComponent('{"kbId":{"exist":true}}')}`, 'it is { exist: true }.'],
  ['tags.kbId.exists=yes', "it is { exists: 'yes' }."],
  ['tags.kbId.in=one&tags.kbId.equals=two', "it is { in: 'one', equals: 'two' }."],
  ['tags.kbId.not.exist=true', "it is { not: { exist: 'true' } }."],
  ['tags.kb.id=three', "it is { id: 'three' }."],
  [`tags=${encodeURIComponent('{"kbId":{}}')}`, 'it is {}.'],
])('an unknown operator is refused, with the list of operators: %s', async (query, end) => {
  const keys = await keysOf();
  const start = 'tags.kbId must be a value, a list of values, or an object of the operators in, not and exists; ';
  expect(await keys(query)).toBe(`${query.startsWith('tags.kb.id') ? start.replace('kbId', 'kb') : start}${end}`);
});

test('a name may be repeated more than 20 times', async () => {
  const keys = await keysOf();
  const others = Array.from({ length: 60 }, (_, i) => `tags.kbId=other${i}`);
  expect(await keys([...others, 'tags.kbId=two'].join('&'))).toEqual(['b.md']);
});

test('more than a thousand parameters are refused, not cut off', async () => {
  const keys = await keysOf();
  expect(await keys('a&'.repeat(1200))).toBe(
    'The query string must have at most 1000 parameters; it has 1201: send fewer.',
  );
});

test('parameters without a name count, and are refused beyond a thousand, not cut off', async () => {
  const keys = await keysOf();
  expect(await keys(`${'&'.repeat(1001)}tags.source=kb`)).toBe(
    'The query string must have at most 1000 parameters: send fewer.',
  );
});

test.each(['tags[kbId][1000]=one', 'tags.kbId.1000=one', 'others[2000]=x'])(
  'a list of more than a thousand items is refused as too long: %s',
  async (query) => {
    const keys = await keysOf();
    expect(await keys(query.replace('1000', '999').replace('2000', '999'))).toEqual(expect.any(Array));
    expect(await keys(query)).toBe(
      'A list in a URL must have at most 1000 items: number them from 0, or repeat the name.',
    );
  },
);

test('a name of more than ten levels is refused as too deep', async () => {
  const keys = await keysOf();
  expect(await keys(`deep${'[a]'.repeat(10)}=1`)).toEqual(['a.md', 'b.md', 'c.md']);
  expect(await keys(`deep${'[a]'.repeat(11)}=1`)).toBe(
    'A parameter must have at most 10 levels: use fewer dots and brackets.',
  );
});

test.each(['tags.kbId=%zz', 'tags.kbId=%FF', 'tags.%E0%A4=x', 'tags.kbId=100%'])(
  'a parameter that cannot be decoded is refused, not taken literally: %s',
  async (query) => {
    const keys = await keysOf();
    expect(await keys(query)).toBe(
      `The parameter "${query}" cannot be decoded: percent-encode it as UTF-8, with %25 for a percent sign.`,
    );
  },
);

test.each(['tags..x=v', 'tags.=v', 'tags.source.=v', 'tags[source]x=v', 'tags[source=v', '.tags..x=v', 'limit..=1'])(
  'a parameter that cannot be read is refused, not ignored: %s',
  async (query) => {
    const keys = await keysOf();
    const [name] = query.split('=');
    expect(await keys(query)).toBe(
      `The parameter "${name}" cannot be read: ` +
        'write a tag as tags.name=value, tags[name]=value or tags={"name":"value"}.',
    );
  },
);

test('a list is one value, whatever it looks like, a repeated name, or JSON', async () => {
  const { put, ask } = await serviceOf();
  const [a, b] = [await put('a.md', 'A kettle.'), await put('b.md', 'A kettle.')];
  const keys = async (query: string) => {
    const { body } = await ask(`/v1/files?${query}`);
    return body.files?.map(({ key }: { key: string }) => key).sort() ?? body.message;
  };
  expect(await keys(`ids=${a.id}`)).toEqual(['a.md']);
  expect(await keys(`ids=${a.id}&ids=${b.id}`)).toEqual(['a.md', 'b.md']);
  expect(await keys(`ids=["${a.id}","${b.id}"]`)).toEqual(['a.md', 'b.md']);
  for (const id of ['2024', 'true', 'null', '[x', '"x"']) expect([id, await keys(`ids=${id}`)]).toEqual([id, []]);
});

test('invalid JSON is refused, not ignored', async () => {
  const keys = await keysOf();
  expect(await keys('tags={')).toMatch(/^tags must be an object of tag names /);
});

test('unknown parameters are ignored', async () => {
  const keys = await keysOf();
  expect(await keys('version=7&deep[a][b][c][d][e][f][g]=1&tags.source=web')).toEqual(['c.md']);
});

test('booleans and integers are read from strings', async () => {
  const { put, ask } = await serviceOf();
  await put('a.md', '# A\n\n## B\n\nA kettle.\n\n## C\n\nMore.\n');
  const search = async (query: string) =>
    (await ask(`/v1/files/search?query=kettle&limit=1&${query}`)).body.passages[0];
  expect(await search('withContext=true&contextDepth=0')).toMatchObject({ context: [{ type: 'current', offset: 0 }] });
  expect(await search('withContext=false')).not.toHaveProperty('context');
  expect((await search('includeBreadcrumb=true')).content).toMatch(/^A > B\n\n/);
  expect((await search('consolidate=true')).meta.type).toBe('consolidated');
  expect((await search('consolidate=false')).meta.type).toBe('chunk');
});

test('search and tags are routes, and files with such keys are reached by id', async () => {
  const { put, ask } = await serviceOf();
  const { id } = await put('search', 'A kettle.', { contentType: 'text/plain' });
  expect((await ask(`/v1/files/${id}`)).body.file.key).toBe('search');
  expect((await ask('/v1/files/search?query=kettle')).body.passages).toHaveLength(1);
  expect((await ask('/v1/files/tags')).body).toEqual({ tags: [], meta: {} });
});
