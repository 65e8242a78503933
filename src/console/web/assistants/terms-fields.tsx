import { avatarColors } from '../ui/avatar.tsx';
import { NameField, SelectField, TextArea, TextField } from '../ui/fields.tsx';
import type { AssistantFieldsFragment } from './documents.ts';
import { ModelField } from './model-field.tsx';

type AssistantTerms = Pick<
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

const colorOptions = [
  { value: '', label: 'Automatic' },
  ...avatarColors.map((color) => ({
    value: color,
    label: `${color[0]}${color.slice(1).toLowerCase()}`,
  })),
];

/** The form fields of an assistant. An empty field means the server's default. */
export function TermsFields({ terms }: { terms?: AssistantTerms }) {
  return (
    <>
      <NameField defaultValue={terms?.name} />
      <TextField
        label="Description"
        name="description"
        required={false}
        maxLength={300}
        autoComplete="off"
        defaultValue={terms?.description ?? ''}
        hint="What it is for. Everybody who may ask it sees this sentence."
      />
      <TextArea
        label="Instructions"
        name="instructions"
        rows={6}
        maxLength={20_000}
        defaultValue={terms?.instructions ?? ''}
        hint="Sent to the model before every chat: its role, how it should answer, and what it should not do."
      />
      <TextArea
        label="Starter questions"
        name="starterQuestions"
        rows={3}
        required={false}
        maxLength={1_300}
        defaultValue={terms?.starterQuestions.join('\n') ?? ''}
        hint="Up to 6, one on each line. A new chat offers them."
      />
      <div className="field-grid">
        <SelectField
          label="Colour"
          name="color"
          options={colorOptions}
          defaultValue={terms?.color ?? ''}
        />
        <ModelField model={terms?.model ?? null} />
        <TextField
          label="Temperature"
          name="temperature"
          type="number"
          min={0}
          max={2}
          step={0.05}
          placeholder="Default of the provider"
          defaultValue={terms?.temperature ?? ''}
          hint="From 0 (always the same answer) to 2 (most varied)."
        />
        <TextField
          label="Step limit"
          name="stepLimit"
          type="number"
          required
          min={1}
          max={20}
          defaultValue={terms?.stepLimit ?? 5}
          hint="How many steps, such as searches, it may take before it must answer."
        />
      </div>
    </>
  );
}

/** Reads the fields as variables of the GraphQL mutation. */
export function readTerms(data: FormData) {
  const text = (name: string) => String(data.get(name) ?? '').trim();
  const number = (name: string) => (text(name) === '' ? null : Number(text(name)));
  return {
    name: text('name'),
    description: text('description'),
    instructions: text('instructions'),
    model: text('model') || null,
    temperature: number('temperature'),
    stepLimit: Number(text('stepLimit')),
    starterQuestions: text('starterQuestions')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
    color: avatarColors.find((color) => color === text('color')) ?? null,
  };
}
