import { pdfFile } from '../../support/pdf-file.ts';
import type { Answer } from '../answer.ts';
import {
  ask,
  createAssistant,
  fileForm,
  filesPath,
  runPath,
  shareAssistant,
  waitUntilProcessed,
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
const lunchQuestion = ask('When is lunch served in the canteen?');

/** Assistant files: parts 2, 3, 4.2, 5 and 8, decisions D16, D19 to D22, D38, D39. */
export async function checkAssistantFiles(suite: Suite): Promise<void> {
  const { check } = suite;
  const api = suite.api('user-key', 'assistant files');
  if (!api) return;
  const assistantId = await createAssistant(suite, api, `${suite.prefix} files`);
  if ((await api.get(filesPath(assistantId))).status === 403)
    return void suite.report.skipped.set(
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
  check('4.2 POST files returns assistantId', uploaded, uploaded.at('assistantId'), assistantId);
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

  const polledAnswers: Answer[] = [];
  const processedFile = await waitUntilProcessed(
    api,
    `${files}/${id}`,
    (answer) => void polledAnswers.push(answer),
  );
  for (const answer of polledAnswers)
    checkShape(
      check,
      'Part 2, GET files/:documentId: the metadata',
      answer,
      answer.body,
      fileMetadata,
    );
  for (const pending of polledAnswers.filter(
    (answer) => answer.at('processingStatus') === 'PENDING',
  ))
    check(
      'D19 GET files/:documentId: derivations is [] while PENDING',
      pending,
      pending.at('derivations'),
      [],
    );
  check('D1 GET files/:documentId answers 200', processedFile, processedFile.status, 200);
  check(
    'D19 GET files/:documentId: a text file becomes COMPLETED',
    processedFile,
    processedFile.at('processingStatus'),
    'COMPLETED',
  );
  check(
    'D19 GET files/:documentId: there is no processingError once COMPLETED',
    processedFile,
    processedFile.at('processingError') ?? null,
    null,
  );
  for (const derivation of ['text', 'chunks', 'embeddings'])
    check(
      `D19 GET files/:documentId: derivations has ${derivation} once COMPLETED`,
      processedFile,
      processedFile.at('derivations'),
      hasItem(derivation),
    );
  check(
    'Part 2, GET files/:documentId returns assistantId',
    processedFile,
    processedFile.at('assistantId'),
    assistantId,
  );
  check('Part 2, GET files/:documentId returns id', processedFile, processedFile.at('id'), id);
  check(
    'D9 GET files/:documentId: updatedAt is not before createdAt',
    processedFile,
    processedFile.textAt('updatedAt') >= processedFile.textAt('createdAt'),
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

  const uploadWithKey = (content: string) =>
    api.send('POST', files, {
      body: fileForm('once.txt', content),
      headers: { 'idempotency-key': suite.prefix },
    });
  const firstUpload = await uploadWithKey('Once.');
  check('D45 POST files accepts an Idempotency-Key', firstUpload, firstUpload.status, 200);
  const repeatedUpload = await uploadWithKey('Once.');
  check(
    'D45 POST files with the same Idempotency-Key and content returns the same response',
    repeatedUpload,
    repeatedUpload.body,
    firstUpload.body,
  );
  check(
    'D45 a repeated response of POST files has Idempotency-Replayed',
    repeatedUpload,
    repeatedUpload.headers.get('idempotency-replayed'),
    'true',
  );
  const otherUpload = await uploadWithKey('Another.');
  check(
    'D45 POST files with the same Idempotency-Key and another content is 422',
    otherUpload,
    otherUpload.status,
    422,
  );
  await api.delete(`${files}/${firstUpload.at('file.id')}`);

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
  check('4.2 GET files returns assistantId', list, list.at('assistantId'), assistantId);
  check('D7 GET files: newest first', list, list.listAt('files').map(idOf), [
    second.at('file.id'),
    id,
  ]);
  const slash = await api.get(`${files}/`);
  check(
    'D8 GET files: a trailing slash changes nothing',
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

type FileTarget = { api: Api; assistantId: string; id: string };

async function checkCitations(
  { check }: Suite,
  { api, assistantId, id }: FileTarget,
): Promise<void> {
  const run = await api.post(runPath(assistantId), lunchQuestion);
  check(
    'D16 each citation occurs once',
    run,
    new Set(run.listAt('citations')).size,
    run.listAt('citations').length,
  );
  for (const detail of run.listAt('citationDetails'))
    checkShape(check, 'D16 a citationDetail', run, detail, citationDetail);
  const markers = [...String(run.at('text')).matchAll(/\[(\d+)\]/g)].map(([, digits]) =>
    Number(digits),
  );
  const citedMarkers = run.listAt('citationDetails').map((detail) => Object(detail).marker);
  check(
    'D16 each marker in the text points into citationDetails',
    run,
    markers.filter((marker) => !citedMarkers.includes(marker)),
    [],
  );
  check(
    'D18 usage has integers of at least 0',
    run,
    [run.at('usage.promptTokens'), run.at('usage.completionTokens')],
    listOf(integer),
  );
  // Another model may use other words or cite no source.
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
    'D16 a quote is part of the file',
    run,
    lunch.includes(String(run.at('citationDetails.0.quote')).trim()),
    true,
  );
  const { start, end, quote } = Object(run.at('citationDetails.0'));
  check(
    'D16 start and end are the offsets of the quote',
    run,
    lunch.slice(start, end).trim(),
    String(quote).trim(),
  );
  check(
    'D16 page is null for a kind of file without pages',
    run,
    run.at('citationDetails.0.page'),
    null,
  );
}

/** Rule D16: a citation of a file with pages names the page. */
async function checkPages({ check }: Suite, { api, assistantId }: FileTarget): Promise<void> {
  const files = filesPath(assistantId);
  const content = new Uint8Array(
    pdfFile([['The harbour opens in spring.'], ['The lighthouse keeper is called Ottilie.']]),
  );
  const uploaded = await api.send('POST', files, {
    body: fileForm('harbour.pdf', content, 'application/pdf'),
  });
  const path = `${files}/${uploaded.textAt('file.id')}`;
  const processedFile = await waitUntilProcessed(api, path);
  check(
    'D19 GET files/:documentId: a PDF becomes COMPLETED',
    processedFile,
    processedFile.at('processingStatus'),
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

/** Rule D22: requests that are refused. */
async function checkRefusals(suite: Suite, { api, assistantId, id }: FileTarget): Promise<void> {
  const { check } = suite;
  const files = filesPath(assistantId);
  for (const [name, method, path] of [
    ['POST files', 'POST', files],
    ['PUT files/:documentId', 'PUT', `${files}/${id}`],
  ] as const) {
    const otherUpload = new FormData();
    otherUpload.set('document', new File(['x'], 'x.txt'));
    const field = new FormData();
    field.set('file', 'only text');
    const several = fileForm('a.txt', 'a');
    several.append('file', new File(['b'], 'b.txt'));
    for (const [description, options] of [
      ['a form without a part file', { body: otherUpload }],
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
      check(`D22 ${name}: ${description} is 400`, refused, refused.status, 400);
    }
  }
  const untouched = await api.get(files);
  check('D22 refused uploads change no file', untouched, untouched.listAt('files').map(idOf), [id]);
  const form = () => ({ body: fileForm('x.txt', 'x') });
  for (const [name, method, path, options] of [
    ['GET files', 'GET', '', {}],
    ['POST files', 'POST', '', form()],
    ['GET files/:documentId', 'GET', `/${id}`, {}],
    ['PUT files/:documentId', 'PUT', `/${id}`, form()],
    ['DELETE files/:documentId', 'DELETE', `/${id}`, {}],
  ] as const) {
    const unknown = await api.send(method, `${filesPath('unknown')}${path}`, options);
    check(`D22 ${name}: an unknown assistant is 404`, unknown, unknown.status, 404);
    if (path === '') continue;
    const noDocument = await api.send(method, `${files}/unknown`, method === 'PUT' ? form() : {});
    check(`D22 ${name}: an unknown document is 404`, noDocument, noDocument.status, 404);
    const otherUpload = suite.api('other-user-key', 'files of another organization');
    if (!otherUpload) continue;
    const foreign = await otherUpload.send(
      method,
      `${files}${path}`,
      method === 'PUT' ? form() : {},
    );
    checkSameRefusal(
      check,
      `D22 ${name} of another organization`,
      foreign,
      await otherUpload.send(
        method,
        `${filesPath('unknown')}${path}`,
        method === 'PUT' ? form() : {},
      ),
    );
  }
}

/** Part 5: VIEW can read, EDIT and OWNER can change. Without a permission the status is 403. */
async function checkPermissions(suite: Suite, { api, assistantId, id }: FileTarget): Promise<void> {
  const { check } = suite;
  const member = suite.api('member-key', 'permissions of Assistant Files');
  if (!member) return;
  const files = filesPath(assistantId);
  const email = (await member.graph('{ viewer { person { email } } }')).at(
    'data.viewer.person.email',
  );
  const fileCalls = [
    ['GET files', 'GET', files],
    ['GET files/:documentId', 'GET', `${files}/${id}`],
    ['POST files', 'POST', files],
    ['PUT files/:documentId', 'PUT', `${files}/${id}`],
    ['DELETE files/:documentId', 'DELETE', `${files}/${id}`],
  ] as const;
  for (const [name, method, path] of fileCalls) {
    const refused = await member.send(
      method,
      path,
      method === 'POST' || method === 'PUT' ? { body: fileForm('x.txt', 'x') } : {},
    );
    check(
      `D22 ${name}: without permission in the same organization 403`,
      refused,
      refused.status,
      403,
    );
  }
  if (typeof email !== 'string')
    return void suite.report.skipped.set(
      'VIEW and EDIT on an assistant',
      'the e-mail address of the member is unknown',
    );
  await shareAssistant(api, assistantId, 'VIEW', email);
  for (const [name, method, path] of fileCalls) {
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
  const runs = await member.post(runPath(assistantId), lunchQuestion);
  check('D17 a person with VIEW may run the assistant', runs, runs.status, 200);
  const listed = await member.get('/api/assistants/v1/');
  check(
    'D17 the list of a person with VIEW has the assistant',
    listed,
    listed.listAt('assistants').map(idOf).includes(assistantId),
    true,
  );
  await shareAssistant(api, assistantId, 'EDIT', email);
  const uploaded = await member.send('POST', files, { body: fileForm('edit.txt', 'Edited.') });
  check('Part 5 POST files with EDIT is 200', uploaded, uploaded.status, 200);
  const removed = await member.delete(`${files}/${uploaded.at('file.id')}`);
  check('Part 5 DELETE files/:documentId with EDIT is 200', removed, removed.status, 200);
}

/** Checks replacements and returns the id of the last file. */
async function checkReplacing(
  { check }: Suite,
  { api, assistantId, id }: FileTarget,
): Promise<string> {
  const files = filesPath(assistantId);
  const replace = (path: string, form: FormData) => api.send('PUT', path, { body: form });
  const replaced = await replace(`${files}/${id}`, fileForm('garden.txt', dinner));
  const newId = replaced.textAt('file.id');
  check('D1 PUT files/:documentId answers 200', replaced, replaced.status, 200);
  check('4.2 PUT files/:documentId: success is true', replaced, replaced.at('success'), true);
  check(
    '4.2 PUT files/:documentId returns assistantId',
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
    const oldFile = await api.send(method, `${files}/${id}`, options);
    check(
      `D20 PUT files/:documentId: the old id is 404 at once for ${method}`,
      oldFile,
      oldFile.status,
      404,
    );
  }
  const list = await api.get(files);
  check(
    'Part 3 PUT files/:documentId: the new file replaces the old one in the list',
    list,
    list.listAt('files').map(idOf),
    [newId],
  );
  const processedFile = await waitUntilProcessed(api, `${files}/${newId}`);
  check(
    'D20 PUT files/:documentId: the new file becomes COMPLETED',
    processedFile,
    processedFile.at('processingStatus'),
    'COMPLETED',
  );
  const run = await api.post(runPath(assistantId), ask('When is dinner served in the garden?'));
  if (run.at('model') === 'atrium-extractive') {
    check('D20 PUT files/:documentId: a run cites the new content', run, run.at('citations'), [
      'garden.txt',
    ]);
    const old = await api.post(runPath(assistantId), lunchQuestion);
    check(
      'D20 PUT files/:documentId: a run no longer uses the old content',
      old,
      String(old.at('text')).includes('11:30'),
      false,
    );
  }
  const sameContent = await replace(`${files}/${newId}`, fileForm('garden.txt', dinner));
  const sameId = sameContent.textAt('file.id');
  check(
    'D38 PUT files/:documentId with the same bytes and name returns a new id',
    sameContent,
    sameId,
    not(newId),
  );
  const oldFile = await api.get(`${files}/${newId}`);
  check(
    'D38 PUT files/:documentId with the same bytes: the old id is 404 at once',
    oldFile,
    oldFile.status,
    404,
  );
  await waitUntilProcessed(api, `${files}/${sameId}`);

  const broken = await replace(
    `${files}/${sameId}`,
    fileForm('broken.pdf', '%PDF-1.7\nthis is no PDF', 'application/pdf'),
  );
  const brokenId = broken.textAt('file.id');
  const failed = await waitUntilProcessed(api, `${files}/${brokenId}`);
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
  const afterFailure = await api.post(
    runPath(assistantId),
    ask('When is dinner served in the garden?'),
  );
  if (afterFailure.at('model') === 'atrium-extractive') {
    check(
      'D20 after a failed replacement the old content stays searchable',
      afterFailure,
      String(afterFailure.at('text')).includes('18:15'),
      true,
    );
    check(
      'D39 after a failed replacement citations name the file of the old content',
      afterFailure,
      afterFailure.at('citations'),
      ['garden.txt'],
    );
    check(
      'D39 after a failed replacement originalName is the name of the old content',
      afterFailure,
      afterFailure.at('citationDetails.0.originalName'),
      'garden.txt',
    );
    check(
      'D39 after a failed replacement isPreviousVersion is true',
      afterFailure,
      afterFailure.at('citationDetails.0.isPreviousVersion'),
      true,
    );
    check(
      'D39 after a failed replacement documentId is the id of the current file',
      afterFailure,
      afterFailure.at('citationDetails.0.documentId'),
      brokenId,
    );
    check(
      'D39 after a failed replacement the quote is part of the old content',
      afterFailure,
      dinner.includes(String(afterFailure.at('citationDetails.0.quote')).trim()),
      true,
    );
  }
  return brokenId;
}

async function checkDeleting(
  { check }: Suite,
  { api, assistantId, id }: FileTarget,
): Promise<void> {
  const files = filesPath(assistantId);
  const deleted = await api.delete(`${files}/${id}`);
  check('D1 DELETE files/:documentId answers 200', deleted, deleted.status, 200);
  check('4.2 DELETE files/:documentId: success is true', deleted, deleted.at('success'), true);
  check(
    '4.2 DELETE files/:documentId returns assistantId',
    deleted,
    deleted.at('assistantId'),
    assistantId,
  );
  check('4.2 DELETE files/:documentId returns originalId', deleted, deleted.at('originalId'), id);
  for (const method of ['GET', 'DELETE']) {
    const oldFile = await api.send(method, `${files}/${id}`);
    check(
      `Part 3 DELETE files/:documentId: ${method} of the file gets 404 afterwards`,
      oldFile,
      oldFile.status,
      404,
    );
  }
  const list = await api.get(files);
  check(
    'Part 3 DELETE files/:documentId: the file is not listed afterwards',
    list,
    [list.at('files'), list.at('count')],
    [[], 0],
  );
  const run = await api.post(runPath(assistantId), ask('When is dinner served in the garden?'));
  check(
    'Part 3 DELETE files/:documentId: a run no longer uses the content',
    run,
    run.at('citations'),
    [],
  );
}
