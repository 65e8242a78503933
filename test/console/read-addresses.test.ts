import { describe, expect, it } from 'vitest';
import { readAddresses } from '../../src/console/web/ui/read-addresses.ts';

describe('readAddresses', () => {
  it.each([
    ['lines of any system', 'a@x.example\nb@x.example\r\nc@x.example\rd@x.example', 'abcd'],
    [
      'the first address of each line of a CSV file',
      'A;a@x.example;z@x.example\n"B, b",b@x.example',
      'ab',
    ],
    [
      'every address of a line that has nothing else',
      'a@x.example; b@x.example,c@x.example\n"d@x.example"',
      'abcd',
    ],
    ['the recipients of a mail', '"Roe, A" <a@x.example>, B Doe <b@x.example>', 'ab'],
    ['addresses as mail programs write them', 'Ada <a@x.example>\n"b@x.example"', 'ab'],
    ['an address once, whatever its letter case', 'a@x.example\nb@x.example\nA@X.example', 'ab'],
    ['no lines without an address', 'name\taddress\n\n@x.example\na@\na@b', ''],
  ])('reads %s', (_, text, names) => {
    const addresses = readAddresses(text).addresses.map((address) => address.toLowerCase());
    expect(addresses.toSorted()).toEqual([...names].toSorted().map((name) => `${name}@x.example`));
  });

  it('names the lines without a complete address, but not the names of columns', () => {
    const people = 'Anna;a@x.example\n\nBernd;b@x\nClara;c@@x.example\nDora;d x.example';
    const skipped = ['Bernd;b@x', 'Clara;c@@x.example', 'Dora;d x.example'];
    expect(readAddresses(`Name;E-Mail\r\n${people}`).skippedLines).toEqual(skipped);
    expect(readAddresses(people).skippedLines).toEqual(skipped);
    expect(readAddresses('b@x\na@x.example').skippedLines).toEqual(['b@x']);
  });
});
