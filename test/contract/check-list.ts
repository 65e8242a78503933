import type { Answer } from './answer.ts';
import type { Api } from './client.ts';
import { listOf, type Shape } from './matchers.ts';
import type { Check } from './report.ts';
import { page as pageShape } from './shapes.ts';

type ListCheck = {
  /** For example "GET /users"; the titles of the checks begin with it. */
  name: string;
  api: Api;
  path: string;
  /** The name of the field with the list. */
  items: string;
  shape: Shape;
  pageSizeDefault: number;
  /** The field that the list is ordered by, newest first. */
  time: string;
};

/** Checks the rules of part 2, part 8, D6 and D7 for a paginated list. */
export async function checkList(
  check: Check,
  { name, api, path, items, shape, pageSizeDefault, time }: ListCheck,
): Promise<Answer> {
  const query = (parameters: string) => `${path}${path.includes('?') ? '&' : '?'}${parameters}`;
  const first = await api.get(path);
  check(`D1 ${name} answers 200`, first, first.status, 200);
  for (const [field, matcher] of Object.entries(pageShape))
    check(`Part 2, ${name}: ${field} is ${matcher.words}`, first, first.at(field), matcher);
  check(`Part 4, ${name}: page is 1 by default`, first, first.at('page'), 1);
  check(
    `Part 8, ${name}: pageSize is ${pageSizeDefault} by default`,
    first,
    first.at('pageSize'),
    pageSizeDefault,
  );
  for (const [field, matcher] of Object.entries(shape))
    check(
      `Part 2, ${name}: each item has ${field}, ${matcher.words}`,
      first,
      first.listAt(items).map((item) => Object(item)[field]),
      listOf(matcher),
    );
  const total = Number(first.at('total'));
  check(
    `Part 2, ${name}: totalPages follows from total and pageSize`,
    first,
    first.at('totalPages'),
    Math.ceil(total / pageSizeDefault),
  );
  check(
    `Part 2, ${name}: a page is full unless it is the last one`,
    first,
    first.listAt(items).length,
    Math.min(total, pageSizeDefault),
  );

  const largest = await api.get(query('pageSize=100'));
  check(`Part 8, ${name}: pageSize=100 is accepted`, largest, largest.status, 200);
  check(
    `Part 2, ${name}: pageSize in the response is the requested one`,
    largest,
    largest.at('pageSize'),
    100,
  );
  checkOrder(check, `D7 ${name}`, largest, largest.listAt(items), time);

  const ids = largest.listAt(items).map(idOf);
  for (const pageNumber of [1, 2]) {
    const smallPage = await api.get(query(`pageSize=2&page=${pageNumber}`));
    check(
      `D7 ${name}: page ${pageNumber} of size 2 has the same rows as the complete list`,
      smallPage,
      smallPage.listAt(items).map(idOf),
      ids.slice(2 * pageNumber - 2, 2 * pageNumber),
    );
    check(
      `Part 2, ${name}: page in the response is ${pageNumber} as requested`,
      smallPage,
      smallPage.at('page'),
      pageNumber,
    );
    check(
      `D7 ${name}: page ${pageNumber} has the correct total`,
      smallPage,
      smallPage.at('total'),
      total,
    );
    check(
      `Part 2, ${name}: totalPages of page ${pageNumber} follows from its size`,
      smallPage,
      smallPage.at('totalPages'),
      Math.ceil(total / 2),
    );
  }
  const pastEnd = await api.get(query('page=9000000'));
  check(`D7 ${name}: a page past the end gets 200`, pastEnd, pastEnd.status, 200);
  check(`D7 ${name}: a page past the end is empty`, pastEnd, pastEnd.at(items), []);
  check(
    `D7 ${name}: a page past the end has the correct total`,
    pastEnd,
    pastEnd.at('total'),
    total,
  );
  check(
    `D7 ${name}: a page past the end has the requested number`,
    pastEnd,
    pastEnd.at('page'),
    9_000_000,
  );

  for (const [faulty, field] of [
    ['page=abc', 'page'],
    ['page=0', 'page'],
    ['page=-1', 'page'],
    ['page=1.5', 'page'],
    ['page=', 'page'],
    ['pageSize=101', 'pageSize'],
    ['pageSize=0', 'pageSize'],
    ['pageSize=1e1', 'pageSize'],
    ['pageSize=all', 'pageSize'],
  ] as const) {
    const refused = await api.get(query(faulty));
    check(`D6 ${name}?${faulty} is 400`, refused, refused.status, 400);
    check(
      `D6 ${name}?${faulty} names ${field}`,
      refused,
      String(refused.at('message')).includes(field),
      true,
    );
    check(
      `D41 ${name}?${faulty}: errors name ${field}`,
      refused,
      refused.listAt('errors').map((fault) => Object(fault).field),
      [field],
    );
  }
  const bothInvalid = await api.get(query('page=0&pageSize=0'));
  check(
    `D6 ${name}: a single 400 names every invalid parameter`,
    bothInvalid,
    [/\bpage\b/.test(bothInvalid.text), bothInvalid.text.includes('pageSize')],
    [true, true],
  );
  const extraParameters = await api.get(query('unknown=1&limit=-1'));
  check(
    `D6 ${name}: unknown query parameters are ignored`,
    extraParameters,
    [extraParameters.status, extraParameters.at('total')],
    [200, total],
  );
  const slash = await api.get(path.replace(/(\?|$)/, '/$1'));
  check(
    `D8 ${name}: a slash at the end changes nothing`,
    slash,
    [slash.status, slash.listAt(items).map(idOf)],
    [200, first.listAt(items).map(idOf)],
  );
  return largest;
}

export const idOf = (item: unknown): unknown => Object(item).id;

function checkOrder(
  check: Check,
  name: string,
  answer: Answer,
  rows: readonly unknown[],
  time: string,
): void {
  const misplaced = rows
    .filter(
      (row, index) =>
        index > 0 && String(Object(rows[index - 1])[time]) < String(Object(row)[time]),
    )
    .map(idOf);
  check(`${name} is ordered by ${time}, newest first`, answer, misplaced, []);
  check(`${name} has each row once`, answer, new Set(rows.map(idOf)).size, rows.length);
}
