import { chooseLanguage, language, languages } from '../texts/language.ts';
import { t } from '../texts/text.ts';
import { Options } from './fields.tsx';
import { Icon } from './icon.tsx';

const options = Object.entries(languages).map(([value, label]) => ({ value, label }));

/** Chooses the language of the console in this browser. */
export const LanguageChoice = () => (
  <label className="language-choice">
    <Icon name="globe" />
    <span className="sr-only">{t('ui.language')}</span>
    <select value={language()} onChange={({ target }) => chooseLanguage(target.value)}>
      <Options options={options} />
    </select>
  </label>
);
