import { useGraphMutation } from '../graph/use-graph.ts';
import { isLanguage, language, languages, showLanguage } from '../texts/language.ts';
import { t } from '../texts/text.ts';
import { Options } from '../ui/fields.tsx';
import { Icon } from '../ui/icon.tsx';
import { FaultNote } from '../ui/status.tsx';
import { accountLanguageOf } from './account-language.ts';
import { SetLanguageDocument } from './documents.ts';
import { useSession } from './session.tsx';

const options = Object.entries(languages).map(([value, label]) => ({ value, label }));

/** Chooses the language of the account, or before sign-in that of this browser. */
export function LanguageChoice() {
  const { fault, choose } = useLanguageChoice();
  return (
    <>
      <label className="language-choice">
        <Icon name="globe" />
        <span className="sr-only">{t('ui.language')}</span>
        <select value={language()} onChange={({ target }) => void choose(target.value)}>
          <Options options={options} />
        </select>
      </label>
      <FaultNote fault={fault} />
    </>
  );
}

function useLanguageChoice() {
  const { viewer } = useSession();
  const { run, fault } = useGraphMutation(SetLanguageDocument);
  const choose = async (chosen: string) => {
    if (!isLanguage(chosen)) return;
    const isStored = !viewer || (await run({ language: accountLanguageOf(chosen) }));
    if (isStored) showLanguage(chosen);
  };
  return { fault, choose };
}
