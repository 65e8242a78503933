import { useState } from 'react';
import { t } from '../../texts/text.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FormButtons } from '../../ui/form.tsx';
import { Card } from '../../ui/page.tsx';
import type { AssistantTerms } from '../terms-fields.tsx';
import { assistantTemplates } from './templates.ts';

type TemplateListProps = {
  chosen: string | undefined;
  /** Whether the form has entries that a template would replace. */
  hasEntries: boolean;
  onChoose: (template: AssistantTerms) => void;
};

/** Templates that fill the form of a new assistant. */
export function TemplateList({ chosen, hasEntries, onChoose }: TemplateListProps) {
  const [asked, setAsked] = useState<AssistantTerms>();
  const replace = () => {
    if (asked) onChoose(asked);
    setAsked(undefined);
  };
  return (
    <Card title={t('templates.templates')}>
      <p className="quiet">{t('templates.templatesHint')}</p>
      <ul className="assistants-templates plain-list">
        {assistantTemplates().map((template) => (
          <li key={template.name}>
            <button
              type="button"
              aria-pressed={template.name === chosen}
              onClick={() => (hasEntries ? setAsked(template) : onChoose(template))}
            >
              <Avatar id={template.name} name={template.name} color={template.color} />
              <span>
                <strong>{template.name}</strong>
                <span className="hint">{template.description}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
      <Dialog
        title={t('templates.replaceQuestion')}
        open={asked !== undefined}
        onClose={() => setAsked(undefined)}
      >
        <p>{t('templates.replaceHint', { name: asked?.name ?? '' })}</p>
        <FormButtons>
          <Button onClick={() => setAsked(undefined)}>{t('ui.cancel')}</Button>
          <Button kind="primary" onClick={replace}>
            {t('templates.replace')}
          </Button>
        </FormButtons>
      </Dialog>
    </Card>
  );
}
