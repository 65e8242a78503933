import { useState } from 'react';
import { t } from '../../texts/text.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { SelectField } from '../../ui/fields.tsx';
import { Card } from '../../ui/page.tsx';
import { signatureRecipes } from './signature-recipes.ts';

const options = signatureRecipes.map(({ language }) => ({ value: language, label: language }));

/** How a receiver finds out that a request is from Atrium. */
export function CheckSignatures() {
  const [language, setLanguage] = useState('Node');
  const code = signatureRecipes.find((recipe) => recipe.language === language)?.code ?? '';
  return (
    <Card title={t('webhooks.checkSignatures')}>
      <p>{t('webhooks.checkSignaturesHint')}</p>
      <SelectField
        label={t('webhooks.language')}
        options={options}
        value={language}
        onValue={setLanguage}
      />
      <CodeBlock label={language} text={code} />
    </Card>
  );
}
