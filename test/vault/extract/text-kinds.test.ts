import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { createFileReader } from '../../support/read-files.ts';

const files = await createFileReader();

describe('plain text', () => {
  it('Plain text keeps its paragraphs, with normalized line ends and without NUL and control characters', async () => {
    const { mimeType, text, pages, truncated } = await files.text(
      'First line\r\nsecond line\r\n\r\n\r\nNew\0 paragraph\rafter\u0007 a bare return\n',
    );
    expect({ mimeType, text, pages, truncated }).toEqual({
      mimeType: 'text/plain',
      text: 'First line\nsecond line\n\nNew paragraph\nafter a bare return\n',
      pages: null,
      truncated: false,
    });
  });

  const german =
    'Die Größe der Räume hängt von der Höhe ab. Für Bäder gelten ähnliche Maße, überprüft durch die Behörde. '.repeat(
      3,
    );
  const polish =
    'Zażółć gęślą jaźń. Książka leży na stole, a źródło jest głęboko w lesie. Łódź płynie powoli. '.repeat(
      6,
    );
  const russian =
    'Съешь же ещё этих мягких французских булок, да выпей чаю. Широкая электрификация южных губерний. '.repeat(
      3,
    );
  const japanese =
    '吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。何でも薄暗いじめじめした所でニャーニャー泣いていた事だけは記憶している。'.repeat(
      3,
    );
  const chinese =
    '春眠不觉晓，处处闻啼鸟。夜来风雨声，花落知多少。我们都是中国人，今天天气很好。'.repeat(3);
  const greek =
    'Η γρήγορη καφέ αλεπού πηδάει πάνω από το τεμπέλικο σκυλί. Καλημέρα κόσμε, τι κάνετε σήμερα; '.repeat(
      3,
    );
  const french =
    'Le café est fermé à midi. Où êtes-vous allés cet été ? Ça coûte très cher. '.repeat(3);
  const korean =
    '모든 국민은 법 앞에 평등하다. 누구든지 성별 종교 또는 사회적 신분에 의하여 차별을 받지 아니한다. '.repeat(
      3,
    );
  it.each([
    ['utf-8', german],
    ['utf-8', japanese],
    ['utf-16le', german],
    ['utf-16be', russian],
    ['utf-16le', chinese.replaceAll('。', '。\n')],
    ['windows-1252', german],
    ['cp850', german.replaceAll('😀', '')],
    ['macintosh', french],
    ['iso-8859-2', polish],
    ['windows-1251', russian],
    ['koi8-r', russian],
    ['iso-8859-7', greek],
    ['shift_jis', japanese],
    ['euc-jp', japanese],
    ['gb18030', chinese],
    ['euc-kr', korean],
    ['big5', '春眠不覺曉，處處聞啼鳥。夜來風雨聲，花落知多少。我們今天去學校學習中文。'.repeat(4)],
  ])('Plain text in %s is decoded', async (encoding, text) => {
    expect((await files.text(iconv.encode(text, encoding))).text).toBe(text);
  });

  it.each([
    ['euc-jp', 'お客様各位'],
    ['euc-jp', 'これはテストです。'],
    ['euc-jp', 'Report 2026\n休暇申請書\nv1.2 (final)\n'],
    ['shift_jis', 'ホテルの予約番号'],
    ['gb18030', '会议将于下周一举行。'],
    ['gb18030', '产品说明书'],
    ['gb18030', 'Report 2026\n酒店预订编号\n'],
    ['big5', '產品說明書'],
    ['euc-kr', '휴가 신청서'],
    ['windows-1252', 'Käse für Müller'],
    ['windows-1251', 'Договор'],
    ['koi8-r', 'Договор'],
    ['cp850', 'Die Straße über den Fluß'],
  ])('A short text in %s is decoded: %s', async (encoding, text) => {
    expect((await files.text(iconv.encode(text, encoding))).text).toBe(text);
  });

  it.each(['utf-8', 'utf-16le', 'utf-16be', 'utf-32le', 'utf-32be'])(
    'Plain text with a byte order mark of %s is decoded without the mark',
    async (encoding) => {
      expect((await files.text(iconv.encode(`Größe 😀 1`, encoding, { addBOM: true }))).text).toBe(
        'Größe 😀 1',
      );
    },
  );

  it('Plain text is decoded if its first non-ASCII letter comes late', async () => {
    const text = `${'plain words '.repeat(20_000)}Größe und Höhe für alle Räume`;
    expect((await files.text(iconv.encode(text, 'windows-1252'))).text.slice(-29)).toBe(
      'Größe und Höhe für alle Räume',
    );
  });
});

describe('Markdown', () => {
  it('Markdown gives headings with levels, unchanged code and lists, and column headers before table values', async () => {
    const { mimeType, text } = await files.text(
      [
        '---',
        'title: Handbook',
        '---',
        '# Travel #',
        'By train',
        'if possible.',
        '',
        'Costs',
        '-----',
        '| City | Night |',
        '|------|------:|',
        '| Rome | 120 \\| 130 |',
        '| Oslo | |',
        '',
        '- one',
        '- two',
        '```sh',
        '# no heading',
        '',
        'ls',
        '```',
        'after',
      ].join('\n'),
    );
    expect(mimeType).toBe('text/markdown');
    expect(text).toBe(
      '---\ntitle: Handbook\n---\n\nTravel\n\nBy train\nif possible.\n\nCosts\n\nCity: Rome | Night: 120 | 130\nCity: Oslo\n\n- one\n- two\n\n```sh\n# no heading\n\nls\n```\n\nafter',
    );
  });

  it('Passages of Markdown have the headings above them', async () => {
    const body = 'A sentence that fills the section with words. '.repeat(10);
    const { passages, derivation } = await files.passages(
      `# Top\n\n## One\n${body}\n\nTwo\n---\n${body}\n`,
    );
    expect(derivation).toBe('markdown');
    expect(passages.map(({ headings }) => headings)).toEqual([
      ['Top', 'One'],
      ['Top', 'Two'],
    ]);
  });
});

describe('HTML', () => {
  it('HTML gives the visible headings, paragraphs, lists and rows, without scripts, styles, comments and addresses', async () => {
    const { mimeType, text } = await files.text(
      `<!DOCTYPE html><html><head><title>T</title><style>p{}</style></head><body><!-- no --><h1>Price <b>list</b></h1>
      <p>All prices &amp; terms, <a href="http://127.0.0.1:1/x">see here</a>.</p><script>alert(1)</script><img src="http://127.0.0.1:1/i">
      <ul><li>one</li><li>two</li></ul><h3>Table</h3><table><tr><th>Item</th><th>Price</th></tr><tr><td>Nut</td><td>3&nbsp;€</td></tr><tr><td>Bolt</td><td>4 €</td></tr></table></body></html>`,
    );
    expect(mimeType).toBe('text/html');
    expect(text).toBe(
      'T\n\nPrice list\n\nAll prices & terms, see here.\n\n * one\n * two\n\nTable\n\nItem: Nut | Price: 3 €\nItem: Bolt | Price: 4 €',
    );
  });

  it('HTML is decoded with the encoding that it declares', async () => {
    const page = '<html><head><meta charset="windows-1251"></head><body><p>Мир</p></body></html>';
    expect((await files.text(iconv.encode(page, 'windows-1251'))).text).toBe('Мир');
  });
});

describe('CSV', () => {
  it.each([
    [',', 'comma'],
    [';', 'semicolon'],
    ['\t', 'tab'],
    ['|', 'bar'],
  ])('CSV gives the column header before each value (%j, %s)', async (delimiter) => {
    const rows = [
      ['Name', 'City', 'Note'],
      ['Ada', 'London', `"a ""quoted""${delimiter} word\non two lines"`],
      ['Emil', '', 'x'],
    ];
    const { mimeType, text } = await files.text(rows.map((row) => row.join(delimiter)).join('\n'));
    expect(mimeType).toBe('text/csv');
    expect(text).toBe(
      `Name: Ada | City: London | Note: a "quoted"${delimiter === '\t' ? '' : delimiter} word on two lines\nName: Emil | Note: x`,
    );
  });

  it('CSV without a header row gives only the values', async () => {
    expect((await files.text('1,2,3\n4,5,6\n')).text).toBe('1 | 2 | 3\n4 | 5 | 6');
  });

  it('CSV with a quote that is never closed is read completely', async () => {
    const rows = Array.from(
      { length: 40_000 },
      (_, index) => `${index},${index === 5_000 ? '"open' : 'word'},tail`,
    );
    const { passages, mimeType } = await files.passages(['id,word,tail', ...rows].join('\n'));
    expect(mimeType).toBe('text/csv');
    expect(passages.at(-1)?.text.endsWith('id: 39999 | word: word | tail: tail')).toBe(true);
  });
});

describe('JSON', () => {
  it('JSON gives a line with a path for each value', async () => {
    const { mimeType, text } = await files.text(
      '{"team":{"name":"Ä\\u00e4","tags":["x","y"]},"size":3,"open":true,"none":null}',
    );
    expect(mimeType).toBe('application/json');
    expect(text).toBe(
      'team.name: Ää\nteam.tags[0]: x\nteam.tags[1]: y\n\nsize: 3\nopen: true\nnone: null',
    );
  });

  it('JSON lines give a paragraph for each value', async () => {
    expect((await files.text('{"a":1,"b":"x"}\n{"a":2}\n')).text).toBe('a: 1\nb: x\n\na: 2');
  });

  it('Incomplete JSON is DAMAGED', async () => {
    const long = `[${'{"a":"some text of a value"},'.repeat(4_000)}`;
    await expect(files.passages(long)).rejects.toMatchObject({ code: 'DAMAGED' });
  });
});

describe('e-mail', () => {
  const mail = (parts: string[]) =>
    [
      'From: =?utf-8?q?J=C3=BCrgen?= <j@example.com>',
      'To: a@example.com',
      'Subject: The plan',
      'Date: Mon, 2 Mar 2026 10:00:00 +0000',
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary=B',
      '',
      ...parts.flatMap((part) => ['--B', part]),
      '--B--',
      '',
    ].join('\r\n');
  const attachment = (name: string, content: string | Buffer) =>
    `Content-Type: application/octet-stream\r\nContent-Disposition: attachment; filename="${name}"\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(content).toString('base64')}`;

  it('An e-mail gives its subject, people and body, and the text of attachments, detected by content and not by name', async () => {
    const { mimeType, text } = await files.text(
      mail([
        'Content-Type: text/plain; charset=utf-8\r\n\r\nHello all.',
        attachment('../../etc/passwd', '# Agenda\n\n## First\ntalk'),
        attachment('x.txt', Buffer.alloc(400, 1)),
      ]),
    );
    expect(mimeType).toBe('message/rfc822');
    expect(text.replaceAll(/\n{3,}/g, '\n\n')).toBe(
      'The plan\n\nFrom: Jürgen <j@example.com>\nTo: a@example.com\nDate: 2026-03-02T10:00:00.000Z\n\nHello all.\n\nAttachment: ../../etc/passwd\n\nAgenda\n\nFirst\n\ntalk\n\nAttachment: x.txt',
    );
  });

  it('An HTML e-mail gives its visible text', async () => {
    expect(
      (
        await files.text(
          mail(['Content-Type: text/html\r\n\r\n<p>Shown &eacute;</p><script>no</script>']),
        )
      ).text,
    ).toMatch(/\n\nShown é$/);
  });
});
