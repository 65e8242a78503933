import { describe, expect, it } from 'vitest';
import { readEpub } from '../../../src/vault/extract/epub.ts';
import { epubFile } from '../../support/office-files.ts';
import { joined, readBlocks } from '../../support/read-blocks.ts';

const textOf = async (file: Uint8Array) => joined(await readBlocks(readEpub, file));

describe('readEpub', () => {
  it('A book gives its title and its chapters in reading order, without the contents', async () => {
    const file = epubFile({
      title: 'The guide',
      chapters: {
        nav: '<h1>Contents</h1><ol><li><a href="one.xhtml">One</a></li></ol>',
        two: '<h1>Two</h1><p>The second&nbsp;chapter.</p>',
        one: '<h1>One</h1><p>The first chapter, <em>with</em> emphasis.</p>',
        unused: '<p>Not in the reading order.</p>',
      },
      order: ['nav', 'one', 'two', 'one', 'missing'],
    });
    // The title of a chapter's page is that of the book, and is not repeated.
    expect((await textOf(file)).replaceAll('\u00a0', ' ')).toBe(
      'The guide\n\nOne\n\nThe first chapter, with emphasis.\n\nTwo\n\nThe second chapter.',
    );
  });

  it('Chapters with encoded names are read, and addresses outside the file lead nowhere', async () => {
    const container = (path: string) =>
      `<container><rootfiles><rootfile full-path="${path}"/></rootfiles></container>`;
    const book = (href: string) =>
      `<package><manifest><item id="a" href="${href}" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>`;
    const file = (href: string) =>
      epubFile({
        chapters: {},
        parts: {
          'META-INF/container.xml': container('book.opf'),
          'book.opf': book(href),
          'text/chapter one.html': '<p>Read.</p>',
          'etc/passwd': '<p>Inside the file.</p>',
        },
      });
    expect(await textOf(file('text/chapter%20one.html#start'))).toBe('Read.');
    // Resolved inside the file, never on this machine.
    expect(await textOf(file('../../etc/passwd'))).toBe('Inside the file.');
    for (const href of ['https://elsewhere.example/a.html', '/etc/hosts', '%zz'])
      await expect(textOf(file(href))).rejects.toMatchObject({ code: 'EMPTY' });
  });

  it('A protected book is ENCRYPTED, one with protected fonts only is read, and one without its parts is DAMAGED', async () => {
    const encryption = (uri: string) => ({
      'META-INF/encryption.xml': `<encryption><enc:EncryptedData xmlns:enc="e"><enc:CipherData><enc:CipherReference URI="${uri}"/></enc:CipherData></enc:EncryptedData></encryption>`,
    });
    const chapters = { one: '<p>Text.</p>' };
    await expect(
      textOf(epubFile({ chapters, parts: encryption('OEBPS/one.xhtml') })),
    ).rejects.toMatchObject({ code: 'ENCRYPTED' });
    expect(await textOf(epubFile({ chapters, parts: encryption('OEBPS/font.otf') }))).toBe('Text.');
    await expect(
      textOf(epubFile({ chapters, parts: { 'META-INF/container.xml': '<container/>' } })),
    ).rejects.toMatchObject({ code: 'DAMAGED' });
  });
});
