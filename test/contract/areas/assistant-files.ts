import { pdfFile } from '../../support/pdf-file.ts';
import type { Answer } from '../answer.ts';
import {
  ask,
  fileForm,
  filesPath,
  makeAssistant,
  processed,
  runPath,
  shareAssistant,
} from '../assistant.ts';
import { idOf } from '../check-list.ts';
import { checkSameRefusal } from '../check-refusals.ts';
import type { Api } from '../client.ts';
import { filledText, hasItem, integer, listOf, not } from '../matchers.ts';
import { checkShape } from '../report.ts';
import { citationDetail, fileMetadata, listedFile, uploadedFile } from '../shapes.ts';
import type { Suite } from '../suite.ts';

const lunch = 'Lunch is served in the canteen from 11:30 to 13:45.';
const dinner = 'Dinner is served in the garden from 18:15 to 20:30.';
const when = ask('When is lunch served in the canteen?');

/** Files: parts 2, 3, 4.2, 5 and 8, D16, D19 to D22, D38, D39. */
export async function checkAssistantFiles(suite: Suite): Promise<void> {
  const { check } = suite;
  const api = suite.api('user-key', 'assistant files');
  if (!api) return;
  const assistantId = await makeAssistant(suite, api, `${suite.prefix} files`);
  if ((await api.get(filesPath(assistantId))).status === 403)
    return void suite.report.leftOut.set(
      'assistant files',
      'the organization of --user-key does not have Assistant Files',
    );
  const files = filesPath(assistantId);
  const upload = (form: FormData, path = files, method = 'POST') =>
    api.send(method, path, { body: form });

  const empty = await api.get(files);
  check('4.2 GET files: an assistant without a file has an empty list', empty, empty.body, {
    files: [],
    count: 0,
    assistantId,
  });

  const uploaded = await upload(fileForm('canteen.txt', lunch));
  const id = uploaded.textAt('file.id');
  check('D1 POST files answers 200', uploaded, uploaded.status, 200);
  check('4.2 POST files: success is true', uploaded, uploaded.at('success'), true);
  check('4.2 POST files tells assistantId', uploaded, uploaded.at('assistantId'), assistantId);
  checkShape(check, 'Part 2, POST files: the file', uploaded, uploaded.at('file'), uploadedFile);
  check(
    'Part 2, POST files keeps the name',
    uploaded,
    uploaded.at('file.originalName'),
    'canteen.txt',
  );
  check(
    'D19 POST files: size is bytes',
    uploaded,
    uploaded.at('file.size'),
    Buffer.byteLength(lunch),
  );
  check(
    'Part 2, POST files: mimeType is the file’s',
    uploaded,
    String(uploaded.at('file.mimeType')).split(';')[0],
    'text/plain',
  );

  const seen: Answer[] = [];
  const done = await processed(api, `${files}/${id}`, (answer) => void seen.push(answer));
  for (const answer of seen)
    checkShape(
      check,
      'Part 2, GET files/:documentId: the metadata',
      answer,
      answer.body,
      fileMetadata,
    );
  for (const pending of seen.filter((answer) => answer.at('processingStatus') === 'PENDING'))
    check(
      'D19 GET files/:documentId: derivations is [] while PENDING',
      pending,
      pending.at('derivations'),
      [],
    );
  check('D1 GET files/:documentId answers 200', done, done.status, 200);
  check(
    'D19 GET files/:documentId: a text file becomes COMPLETED',
    done,
    done.at('processingStatus'),
    'COMPLETED',
  );
  check(
    'D19 GET files/:documentId: there is no processingError once COMPLETED',
    done,
    done.at('processingError') ?? null,
    null,
  );
  for (const derivation of ['text', 'chunks', 'embeddings'])
    check(
      `D19 GET files/:documentId: derivations has ${derivation} once COMPLETED`,
      done,
      done.at('derivations'),
      hasItem(derivation),
    );
  check(
    'Part 2, GET files/:documentId tells assistantId',
    done,
    done.at('assistantId'),
    assistantId,
  );
  check('Part 2, GET files/:documentId tells id', done, done.at('id'), id);
  check(
    'D9 GET files/:documentId: updatedAt is not before createdAt',
    done,
    done.textAt('updatedAt') >= done.textAt('createdAt'),
    true,
  );

  const second = await upload(
    fileForm('Größe 💶 & more.md', '# Sizes\n\nThe size is large.', 'text/markdown'),
  );
  check(
    'Part 2, POST files keeps a name beyond ASCII',
    second,
    second.at('file.originalName'),
    'Größe 💶 & more.md',
  );
  const quoted = await upload(fileForm('a"b.txt', 'Quoted.'));
  check(
    'Part 2, POST files keeps a name with a quotation mark',
    quoted,
    quoted.at('file.originalName'),
    'a"b.txt',
  );
  await api.delete(`${files}/${quoted.at('file.id')}`);

  const keyed = (content: string) =>
    api.send('POST', files, {
      body: fileForm('once.txt', content),
      headers: { 'idempotency-key': suite.prefix },
    });
  const once = await keyed('Once.');
  check('D45 POST files takes an Idempotency-Key', once, once.status, 200);
  const again = await keyed('Once.');
  check(
    'D45 POST files with the same Idempotency-Key and content gives the same answer',
    again,
    again.body,
    once.body,
  );
  check(
    'D45 POST files that is given again says Idempotency-Replayed',
    again,
    again.headers.get('idempotency-replayed'),
    'true',
  );
  const other = await keyed('Another.');
  check(
    'D45 POST files with the same Idempotency-Key and another content is 422',
    other,
    other.status,
    422,
  );
  await api.delete(`${files}/${once.at('file.id')}`);

  const list = await api.get(files);
  check('D1 GET files answers 200', list, list.status, 200);
  for (const [field, matcher] of Object.entries(listedFile))
    check(
      `Part 2, GET files: each file has ${field}, ${matcher.words}`,
      list,
      list.listAt('files').map((file) => Object(file)[field]),
      listOf(matcher),
    );
  check('4.2 GET files: count is the number of files', list, list.at('count'), 2);
  check('4.2 GET files tells assistantId', list, list.at('assistantId'), assistantId);
  check('D7 GET files: newest first', list, list.listAt('files').map(idOf), [
    second.at('file.id'),
    id,
  ]);
  const slash = await api.get(`${files}/`);
  check(
    'D8 GET files: a slash at the end changes nothing',
    slash,
    slash.listAt('files').map(idOf),
    list.listAt('files').map(idOf),
  );
  await api.delete(`${files}/${second.at('file.id')}`);

  await checkCitations(suite, { api, assistantId, id });
  await checkPages(suite, { api, assistantId, id });
  await checkRefusals(suite, { api, assistantId, id });
  await checkPermissions(suite, { api, assistantId, id });
  const current = await checkReplacing(suite, { api, assistantId, id });
  await checkDeleting(suite, { api, assistantId, id: current });
}

type Place = { api: Api; assistantId: string; id: string };

async function checkCitations({ check }: Suite, { api, assistantId, id }: Place): Promise<void> {
  const run = await api.post(runPath(assistantId), when);
  check(
    'D16 each citation stands once',
    run,
    new Set(run.listAt('citations')).size,
    run.listAt('citations').length,
  );
  for (const detail of run.listAt('citationDetails'))
    checkShape(check, 'D16 a citationDetail', run, detail, citationDetail);
  const markers = [...String(run.at('text')).matchAll(/\[(\d+)\]/g)].map(([, digits]) =>
    Number(digits),
  );
  const known = run.listAt('citationDetails').map((detail) => Object(detail).marker);
  check(
    'D16 each marker in the text points into citationDetails',
    run,
    markers.filter((marker) => !known.includes(marker)),
    [],
  );
  check(
    'D18 usage has integers of at least 0',
    run,
    [run.at('usage.promptTokens'), run.at('usage.completionTokens')],
    listOf(integer),
  );
  // Another model may say it in other words, or without a source.
  if (run.at('model') !== 'atrium-extractive') return;
  check(
    '4.1 a run answers from the assistant’s files',
    run,
    String(run.at('text')).includes('11:30'),
    true,
  );
  check('D16 a citation is the file’s name', run, run.at('citations'), ['canteen.txt']);
  check('D16 a citationDetail names the document', run, run.at('citationDetails.0.documentId'), id);
  check(
    'D16 a citationDetail names the file',
    run,
    run.at('citationDetails.0.originalName'),
    'canteen.txt',
  );
  check(
    'D16 a quote stands in the file',
    run,
    lunch.includes(String(run.at('citationDetails.0.quote')).trim()),
    true,
  );
  const { start, end, quote } = Object(run.at('citationDetails.0'));
  check(
    'D16 start and end are where the quote stands',
    run,
    lunch.slice(start, end).trim(),
    String(quote).trim(),
  );
  check(
    'D16 page is null where the kind of file has no pages',
    run,
    run.at('citationDetails.0.page'),
    null,
  );
}

/** D16: a citation of a file with pages names the page. */
async function checkPages({ check }: Suite, { api, assistantId }: Place): Promise<void> {
  const files = filesPath(assistantId);
  const content = new Uint8Array(
    pdfFile([['The harbour opens in spring.'], ['The lighthouse keeper is called Ottilie.']]),
  );
  const uploaded = await api.send('POST', files, {
    body: fileForm('harbour.pdf', content, 'application/pdf'),
  });
  const path = `${files}/${uploaded.textAt('file.id')}`;
  const done = await processed(api, path);
  check(
    'D19 GET files/:documentId: a PDF becomes COMPLETED',
    done,
    done.at('processingStatus'),
    'COMPLETED',
  );
  const run = await api.post(runPath(assistantId), ask('What is the lighthouse keeper called?'));
  if (run.at('model') === 'atrium-extractive') {
    check('D16 a citation names the page of the file', run, run.at('citations'), [
      'harbour.pdf#page=2',
    ]);
    check('D16 a citationDetail has the page', run, run.at('citationDetails.0.page'), 2);
  }
  await api.delete(path);
}

/** D22 */
async function checkRefusals(suite: Suite, { api, assistantId, id }: Place): Promise<void> {
  const { check } = suite;
  const files = filesPath(assistantId);
  for (const [name, method, path] of [
    ['POST files', 'POST', files],
    ['PUT files/:documentId', 'PUT', `${files}/${id}`],
  ] as const) {
    const other = new FormData();
    other.set('document', new File(['x'], 'x.txt'));
    const field = new FormData();
    field.set('file', 'only text');
    const several = fileForm('a.txt', 'a');
    several.append('file', new File(['b'], 'b.txt'));
    for (const [what, options] of [
      ['a form without a part file', { body: other }],
      ['a part file that is no file', { body: field }],
      ['an empty form', { body: new FormData() }],
      ['two parts file', { body: several }],
      ['an empty file', { body: fileForm('empty.txt', '') }],
      ['a JSON body', { json: { file: 'x' } }],
      ['plain bytes', { body: 'x', headers: { 'content-type': 'application/octet-stream' } }],
      [
        'a form without a boundary',
        { body: 'x', headers: { 'content-type': 'multipart/form-data' } },
      ],
    ] as const) {
      const refused = await api.send(method, path, options);
      check(`D22 ${name}: ${what} is 400`, refused, refused.status, 400);
    }
  }
  const untouched = await api.get(files);
  check(
    'D22 refused uploads leave the files as they were',
    untouched,
    untouched.listAt('files').map(idOf),
    [id],
  );
  const form = () => ({ body: fileForm('x.txt', 'x') });
  for (const [name, method, more, options] of [
    ['GET files', 'GET', '', {}],
    ['POST files', 'POST', '', form()],
    ['GET files/:documentId', 'GET', `/${id}`, {}],
    ['PUT files/:documentId', 'PUT', `/${id}`, form()],
    ['DELETE files/:documentId', 'DELETE', `/${id}`, {}],
  ] as const) {
    const unknown = await api.send(method, `${filesPath('unknown')}${more}`, options);
    check(`D22 ${name}: an unknown assistant is 404`, unknown, unknown.status, 404);
    if (more === '') continue;
    const noDocument = await api.send(method, `${files}/unknown`, method === 'PUT' ? form() : {});
    check(`D22 ${name}: an unknown document is 404`, noDocument, noDocument.status, 404);
    const other = suite.api('other-user-key', 'files of another organization');
    if (!other) continue;
    const foreign = await other.send(method, `${files}${more}`, method === 'PUT' ? form() : {});
    checkSameRefusal(
      check,
      `D22 ${name} of another organization`,
      foreign,
      await other.send(method, `${filesPath('unknown')}${more}`, method === 'PUT' ? form() : {}),
    );
  }
}

/** Part 5: VIEW reads, EDIT and OWNER change; without a permission it is 403. */
async function checkPermissions(suite: Suite, { api, assistantId, id }: Place): Promise<void> {
  const { check } = suite;
  const member = suite.api('member-key', 'permissions of Assistant Files');
  if (!member) return;
  const files = filesPath(assistantId);
  const email = (await member.graph('{ viewer { person { email } } }')).at(
    'data.viewer.person.email',
  );
  const attempts = [
    ['GET files', 'GET', files],
    ['GET files/:documentId', 'GET', `${files}/${id}`],
    ['POST files', 'POST', files],
    ['PUT files/:documentId', 'PUT', `${files}/${id}`],
    ['DELETE files/:documentId', 'DELETE', `${files}/${id}`],
  ] as const;
  for (const [name, method, path] of attempts) {
    const refused = await member.send(
      method,
      path,
      method === 'POST' || method === 'PUT' ? { body: fileForm('x.txt', 'x') } : {},
    );
    check(
      `D22 ${name}: without a permission in the own organization 403`,
      refused,
      refused.status,
      403,
    );
  }
  if (typeof email !== 'string')
    return void suite.report.leftOut.set(
      'VIEW and EDIT on an assistant',
      'the address of the member is not told',
    );
  await shareAssistant(api, assistantId, 'VIEW', email);
  for (const [name, method, path] of attempts) {
    const reads = method === 'GET';
    const answer = await member.send(
      method,
      path,
      method === 'POST' || method === 'PUT' ? { body: fileForm('x.txt', 'x') } : {},
    );
    check(
      `Part 5 ${name} with VIEW is ${reads ? 200 : 403}`,
      answer,
      answer.status,
      reads ? 200 : 403,
    );
  }
  const runs = await member.post(runPath(assistantId), when);
  check('D17 whoever has VIEW may run the assistant', runs, runs.status, 200);
  const listed = await member.get('/api/assistants/v1/');
  check(
    'D17 whoever has VIEW is listed the assistant',
    listed,
    listed.listAt('assistants').map(idOf).includes(assistantId),
    true,
  );
  await shareAssistant(api, assistantId, 'EDIT', email);
  const made = await member.send('POST', files, { body: fileForm('edit.txt', 'Edited.') });
  check('Part 5 POST files with EDIT is 200', made, made.status, 200);
  const removed = await member.delete(`${files}/${made.at('file.id')}`);
  check('Part 5 DELETE files/:documentId with EDIT is 200', removed, removed.status, 200);
}

/** The id of the file in the end. */
async function checkReplacing({ check }: Suite, { api, assistantId, id }: Place): Promise<string> {
  const files = filesPath(assistantId);
  const replace = (path: string, form: FormData) => api.send('PUT', path, { body: form });
  const replaced = await replace(`${files}/${id}`, fileForm('garden.txt', dinner));
  const newId = replaced.textAt('file.id');
  check('D1 PUT files/:documentId answers 200', replaced, replaced.status, 200);
  check('4.2 PUT files/:documentId: success is true', replaced, replaced.at('success'), true);
  check(
    '4.2 PUT files/:documentId tells assistantId',
    replaced,
    replaced.at('assistantId'),
    assistantId,
  );
  check(
    'D20 PUT files/:documentId: replacedId is the id in the path',
    replaced,
    replaced.at('replacedId'),
    id,
  );
  check(
    'D20 PUT files/:documentId: originalId is the id in the path',
    replaced,
    replaced.at('originalId'),
    id,
  );
  checkShape(
    check,
    'Part 2, PUT files/:documentId: the file',
    replaced,
    replaced.at('file'),
    uploadedFile,
  );
  check('4.2 PUT files/:documentId: the new file has a new id', replaced, newId, not(id));
  check(
    '4.2 PUT files/:documentId: the new file has its own name',
    replaced,
    replaced.at('file.originalName'),
    'garden.txt',
  );
  check(
    'D19 PUT files/:documentId: the new file has its own size',
    replaced,
    replaced.at('file.size'),
    Buffer.byteLength(dinner),
  );
  for (const [method, options] of [
    ['GET', {}],
    ['PUT', { body: fileForm('x.txt', 'x') }],
    ['DELETE', {}],
  ] as const) {
    const gone = await api.send(method, `${files}/${id}`, options);
    check(
      `D20 PUT files/:documentId: the old id is 404 at once for ${method}`,
      gone,
      gone.status,
      404,
    );
  }
  const list = await api.get(files);
  check(
    'Part 3 PUT files/:documentId: the new file stands in the place of the old one',
    list,
    list.listAt('files').map(idOf),
    [newId],
  );
  const done = await processed(api, `${files}/${newId}`);
  check(
    'D20 PUT files/:documentId: the new file becomes COMPLETED',
    done,
    done.at('processingStatus'),
    'COMPLETED',
  );
  const run = await api.post(runPath(assistantId), ask('When is dinner served in the garden?'));
  if (run.at('model') === 'atrium-extractive') {
    check('D20 PUT files/:documentId: the new content answers', run, run.at('citations'), [
      'garden.txt',
    ]);
    const old = await api.post(runPath(assistantId), when);
    check(
      'D20 PUT files/:documentId: the old content answers no longer',
      old,
      String(old.at('text')).includes('11:30'),
      false,
    );
  }
  const same = await replace(`${files}/${newId}`, fileForm('garden.txt', dinner));
  const sameId = same.textAt('file.id');
  check(
    'D38 PUT files/:documentId with the same bytes and name gives a new id',
    same,
    sameId,
    not(newId),
  );
  const gone = await api.get(`${files}/${newId}`);
  check(
    'D38 PUT files/:documentId with the same bytes: the old id is 404 at once',
    gone,
    gone.status,
    404,
  );
  await processed(api, `${files}/${sameId}`);

  const broken = await replace(
    `${files}/${sameId}`,
    fileForm('broken.pdf', '%PDF-1.7\nthis is no PDF', 'application/pdf'),
  );
  const brokenId = broken.textAt('file.id');
  const failed = await processed(api, `${files}/${brokenId}`);
  check(
    'D20 PUT files/:documentId: a file that cannot be read is FAILED',
    failed,
    failed.at('processingStatus'),
    'FAILED',
  );
  check(
    'D19 GET files/:documentId: a FAILED file has processingError.code',
    failed,
    failed.at('processingError.code'),
    filledText,
  );
  check(
    'D19 GET files/:documentId: a FAILED file has processingError.message',
    failed,
    failed.at('processingError.message'),
    filledText,
  );
  const after = await api.post(runPath(assistantId), ask('When is dinner served in the garden?'));
  if (after.at('model') === 'atrium-extractive') {
    check(
      'D20 after a failed replacement the old content stays searchable',
      after,
      String(after.at('text')).includes('18:15'),
      true,
    );
    check(
      'D39 after a failed replacement citations name the old content’s file',
      after,
      after.at('citations'),
      ['garden.txt'],
    );
    check(
      'D39 after a failed replacement originalName is the old content’s',
      after,
      after.at('citationDetails.0.originalName'),
      'garden.txt',
    );
    check(
      'D39 after a failed replacement isPreviousVersion says so',
      after,
      after.at('citationDetails.0.isPreviousVersion'),
      true,
    );
    check(
      'D39 after a failed replacement documentId is the current file’s id',
      after,
      after.at('citationDetails.0.documentId'),
      brokenId,
    );
    check(
      'D39 after a failed replacement the quote stands in the old content',
      after,
      dinner.includes(String(after.at('citationDetails.0.quote')).trim()),
      true,
    );
  }
  return brokenId;
}

async function checkDeleting({ check }: Suite, { api, assistantId, id }: Place): Promise<void> {
  const files = filesPath(assistantId);
  const deleted = await api.delete(`${files}/${id}`);
  check('D1 DELETE files/:documentId answers 200', deleted, deleted.status, 200);
  check('4.2 DELETE files/:documentId: success is true', deleted, deleted.at('success'), true);
  check(
    '4.2 DELETE files/:documentId tells assistantId',
    deleted,
    deleted.at('assistantId'),
    assistantId,
  );
  check('4.2 DELETE files/:documentId tells originalId', deleted, deleted.at('originalId'), id);
  for (const method of ['GET', 'DELETE']) {
    const gone = await api.send(method, `${files}/${id}`);
    check(
      `Part 3 DELETE files/:documentId: the file is 404 from then on for ${method}`,
      gone,
      gone.status,
      404,
    );
  }
  const list = await api.get(files);
  check(
    'Part 3 DELETE files/:documentId: the file is not listed from then on',
    list,
    [list.at('files'), list.at('count')],
    [[], 0],
  );
  const run = await api.post(runPath(assistantId), ask('When is dinner served in the garden?'));
  check(
    'Part 3 DELETE files/:documentId: the content answers no longer',
    run,
    run.at('citations'),
    [],
  );
}
