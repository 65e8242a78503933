import type { PlainKey } from '../../texts/catalogue.ts';
import { t } from '../../texts/text.ts';
import type { AssistantFieldsFragment } from '../documents.ts';
import { colorLabel } from '../terms-fields.tsx';

/** What an assistant is, of which every change makes a version. */
export type AssistantSettings = Pick<
  AssistantFieldsFragment,
  | 'name'
  | 'description'
  | 'instructions'
  | 'model'
  | 'temperature'
  | 'stepLimit'
  | 'starterQuestions'
  | 'color'
>;

/** The settings as people read them, in the order of the form. */
const settingTexts: readonly {
  label: PlainKey;
  textOf: (settings: AssistantSettings) => string;
}[] = [
  { label: 'ui.name', textOf: ({ name }) => name },
  { label: 'assistants.description', textOf: ({ description }) => description },
  { label: 'assistants.instructions', textOf: ({ instructions }) => instructions ?? '' },
  {
    label: 'assistants.starterQuestions',
    textOf: ({ starterQuestions }) => starterQuestions.join('\n'),
  },
  { label: 'assistants.color', textOf: ({ color }) => colorLabel(color) },
  { label: 'assistants.model', textOf: ({ model }) => model ?? t('assistants.defaultModel') },
  {
    label: 'assistants.temperature',
    textOf: ({ temperature }) => temperature?.toString() ?? t('assistants.providerDefault'),
  },
  { label: 'assistants.stepLimit', textOf: ({ stepLimit }) => String(stepLimit) },
];

export type ChangedSetting = { label: string; before: string; after: string };

/** The settings that differ between two versions. */
export const changedSettings = (
  before: AssistantSettings,
  after: AssistantSettings,
): ChangedSetting[] =>
  settingTexts

    .map(({ label, textOf }) => ({ label: t(label), before: textOf(before), after: textOf(after) }))
    .filter((setting) => setting.before !== setting.after);
