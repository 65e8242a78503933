import { expect, test } from 'vitest';
import type { TextBlock } from '../../../src/vault/extract/block.ts';
import { readHtml } from '../../../src/vault/extract/html.ts';
import { outline } from '../../support/read-blocks.ts';

const read = async (html: string): Promise<string[]> => {
  async function* pieces() {
    yield html;
  }
  const blocks: TextBlock[] = [];
  for await (const block of readHtml(pieces())) blocks.push(block);
  return outline(blocks);
};

test('Two rows of headers name each column by both', async () => {
  expect(
    await read(`<table><thead>
      <tr><th rowspan="2">Country</th><th colspan="2">Revenue</th></tr><tr><th>2024</th><th>2025</th></tr>
      </thead><tbody><tr><td>Germany</td><td>5</td><td>7</td></tr></tbody></table>`),
  ).toEqual(['row Country: Germany | Revenue, 2024: 5 | Revenue, 2025: 7']);
});

test('A cell that spans rows belongs to each of them, and no other cell changes its column', async () => {
  expect(
    await read(`<table><tr><th>Area</th><th>Room</th><th>Seats</th></tr>
      <tr><td rowspan="2">North</td><td>N1</td><td>8</td></tr><tr><td>N2</td><td>12</td></tr>
      <tr><td>South</td><td colspan="2">closed</td></tr></table>`),
  ).toEqual([
    'row Area: North | Room: N1 | Seats: 8',
    'row Area: North | Room: N2 | Seats: 12',
    'row Area: South | Room: closed',
  ]);
});

test('Cells that span rows without end make no endless text', async () => {
  const wide = '<td rowspan="1000" colspan="1000">x</td>'.repeat(50);
  const blocks = await read(
    `<table><tr>${wide}</tr>${'<tr><td>y</td></tr>'.repeat(3_000)}</table>`,
  );
  expect(blocks.join('').length).toBeLessThan(2_000_000);
});

test('The title of a page is its first heading, unless the page repeats it', async () => {
  expect(await read('<title>Fees &amp; fines</title><p>Late: 5</p>')).toEqual([
    '# Fees & fines',
    'Late: 5',
  ]);
  expect(await read('<title>Fees</title><h1>Fees</h1><p>Late: 5</p>')).toEqual([
    '# Fees',
    'Late: 5',
  ]);
});

test('A formula is read once, without its source for programs', async () => {
  const formula =
    '<math><semantics><mrow><msup><mi>a</mi><mn>2</mn></msup><mo>=</mo><mi>b</mi></mrow><annotation encoding="application/x-tex">a^2=b</annotation><annotation-xml encoding="MathML-Content"><ci>a</ci></annotation-xml></semantics></math>';
  expect(await read(`<p>If ${formula}, stop.</p>`)).toEqual(['If a^2 = b, stop.']);
});

test('Fractions, roots and raised numbers keep their signs, and ordinals stay one word', async () => {
  const fraction =
    '<math><mfrac><mn>1</mn><mn>2</mn></mfrac><mo>+</mo><msqrt><mi>x</mi></msqrt></math>';
  expect(
    await read(
      `<p>10<sup>6</sup> m<sup>2</sup>, 5·10<sup>−3</sup>, ${fraction}, the 1<sup>st</sup>, CO<sub>2</sub>, turnover<sup>3</sup></p>`,
    ),
  ).toEqual(['10^6 m^2, 5·10^−3, 1/2 + √(x), the 1st, CO2, turnover^3']);
});

test('Navigation, footers and hidden elements are not read', async () => {
  expect(
    await read(`<nav>Home</nav><p>Shown</p><p hidden>a</p><p style="display:none">b</p>
      <p style="color:red; display: none">c</p><p aria-hidden="true">d</p>
      <div role="navigation">e</div><footer>Imprint</footer>`),
  ).toEqual(['Shown']);
});

test('A page that consists of navigation is read', async () => {
  expect(await read('<nav>Home</nav>')).toEqual(['Home']);
});

test('Terms and their descriptions, and the parts of details, are separate words', async () => {
  expect(
    await read(
      '<dl><dt>E-04</dt><dd>The tap is shut.</dd><dd>Open it.</dd><div><dt>E-05</dt><dd>Rinse.</dd></div></dl><details><summary>White film</summary>Use salt.</details>',
    ),
  ).toEqual(['E-04: The tap is shut.\nOpen it.\nE-05: Rinse.', 'White film\nUse salt.']);
});
