import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { barChart } from '../../bench/chart/bars.js';
import { dotChart, ticksAround } from '../../bench/chart/dots.js';
import { drawing, element, label } from '../../bench/chart/svg.js';

describe('an SVG element', () => {
  it('has its attributes, numbers rounded, and its children', () => {
    expect(element('rect', { x: 1 / 3, fill: '#fff' })).toBe('<rect x="0.33" fill="#fff"/>');
    expect(element('g', {}, [element('line', { x1: -0.5 })])).toBe('<g><line x1="-0.5"/></g>');
  });

  it('is refused where a number is none', () => {
    expect(() => element('rect', { width: Number.NaN })).toThrow(new RangeError('width is NaN'));
    expect(() => element('rect', { y: Number.NEGATIVE_INFINITY })).toThrow(RangeError);
  });

  it('has text as text, whatever it holds', () => {
    expect(label('a < b & "c" > d', { x: 1 })).toBe(
      '<text text-anchor="start" x="1">a &lt; b &amp; &quot;c&quot; &gt; d</text>',
    );
    expect(element('g', { id: '"><script>' })).toBe('<g id="&quot;&gt;&lt;script&gt;"/>');
    expect(label('\u0000\u001b[31m\ud800\ufffe', {})).toBe(
      '<text text-anchor="start">\ufffd\ufffd[31m\ufffd\ufffd</text>',
    );
  });

  it('never has a text that ends it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const [, inside = '<'] = /^<text text-anchor="start">([\s\S]*)<\/text>$/.exec(label(text, {})) ?? [];
        expect(inside).not.toMatch(/[<>"]|&(?!(?:amp|lt|gt|quot);)/);
      }),
    );
  });
});

describe('a drawing', () => {
  it('is on white, has its title for people and readers of screens, and is as wide as that needs', () => {
    const svg = drawing({ title: 'A & B', width: 200, height: 90, elements: [] });
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 200 90" width="200" height="90" /);
    expect(svg).toContain('<title>A &amp; B</title>\n<rect width="200" height="90" fill="#ffffff"/>\n');
    expect(drawing({ title: 'long '.repeat(20), width: 200, height: 90, elements: [] })).toContain(' width="932" ');
  });
});

describe('bars', () => {
  const series = [
    { name: 'dense', colour: '#111111' },
    { name: 'hybrid', colour: '#222222' },
  ];

  it('are as high as their values, with a whisker from low to high and the mean above', () => {
    const values = [{ mean: 0.5, low: 0.25, high: 0.75 }, undefined];
    const svg = barChart({ title: 't', axis: 'mean', series, groups: [{ name: 'all', values }] });
    // 240 pixels are 1, and 0 is at 316.
    expect(svg).toContain('y="196" width="24" height="120" fill="#111111"/>');
    expect(svg).toMatch(/<line x1="(\d+)" x2="\1" y1="256" y2="136" /);
    expect(svg).toContain('font-size="10">.50</text>');
    expect(svg.match(/height="120"/g)).toHaveLength(1);
    expect(svg.match(/>(dense|hybrid|all|mean)</g)).toHaveLength(4);
  });
});

describe('dots', () => {
  const rows = [
    { name: 'better', value: { mean: 0.1, low: 0.05, high: 0.15 } },
    { name: 'not sure', value: { mean: -0.1, low: -0.25, high: 0.05 } },
  ];

  it('are filled where the interval leaves out 0', () => {
    const svg = dotChart({ title: 't', axis: 'difference', groups: [{ name: 'hybrid', colour: '#111111', rows }] });
    // 420 pixels are -0.25 to 0.15, from 290 on.
    expect(svg).toMatch(/>better<\/text><line x1="605" x2="710" .*<circle cx="657.5" [^>]* fill="#111111"/);
    expect(svg).toMatch(/>not sure<\/text><line x1="290" x2="605" .*<circle cx="447.5" [^>]* fill="#ffffff"/);
    expect(svg).toMatch(/>\u22120\.25<[\s\S]*>0<[\s\S]*>\+0\.15</);
  });

  it('have round values around all of them, and 0', () => {
    const ticks = (low: number, high: number) =>
      ticksAround([{ mean: 0, low, high }]).map((tick) => Number(tick.toFixed(4)));
    expect(ticks(-0.22, 0.15)).toEqual([-0.25, -0.2, -0.15, -0.1, -0.05, 0, 0.05, 0.1, 0.15]);
    expect(ticks(0.2, 0.3)).toEqual([-0.05, 0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3]);
    expect(ticksAround([]).length).toBeLessThanOrEqual(11);
  });
});
