import { indexedWords, titleOf } from '../words.ts';
import {
  currentVersion,
  insertWordsStatement,
  type PassageFile,
  versionOf,
  wordTables,
} from './passage-file.ts';

const passagesPerStep = 2_000;

/**
 * Indexes the words of a file of an earlier version again, one step at a time, and returns whether
 * the file is of the current version. A killed process goes on where it was.
 */
export function upgradeStep(
  { database, prepare, numberOf, inTransaction }: PassageFile,
  fileNameOf: (version: number) => string | undefined,
): boolean {
  if (numberOf('pragma user_version') >= currentVersion) return true;
  return inTransaction(() => {
    if (numberOf("select count(*) from sqlite_schema where name = 'upgrade'") === 0)
      database.exec(
        `drop table word_count; drop table word; ${wordTables}
         create table upgrade (last integer not null); insert into upgrade values (-1);`,
      );
    const rows = prepare(
      'select id, text, headings from passage where id > (select last from upgrade) order by id limit ?',
    ).all(passagesPerStep);
    const insertWords = prepare(insertWordsStatement);
    for (const { id, text, headings } of rows) {
      const version = versionOf(Number(id));
      const title = titleOf(fileNameOf(version), JSON.parse(String(headings)));
      const words = indexedWords(String(text), title);
      insertWords.run(Number(id), words.text, words.title, words.pieces);
    }
    const last = rows.at(-1)?.['id'];
    if (last !== undefined) prepare('update upgrade set last = ?').run(Number(last));
    if (rows.length === passagesPerStep) return false;
    database.exec(`drop table upgrade; pragma user_version = ${currentVersion}`);
    return true;
  });
}
