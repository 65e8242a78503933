import { useGraphQuery } from '../graph/use-graph.ts';
import { avatarColors } from '../ui/avatar.tsx';
import { NameField, SelectField, TextArea, TextField } from '../ui/fields.tsx';
import { type AssistantFieldsFragment, ModelsDocument, type ModelsQuery } from './documents.ts';

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

const orList = new Intl.ListFormat('en', { type: 'disjunction' });

/** The form fields of an assistant. An empty field means the server's default. */
export function TermsFields({ terms }: { terms?: AssistantTerms }) {
  const answer = useGraphQuery(ModelsDocument, {});
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
        <TextField
          label="Model"
          name="model"
          maxLength={200}
          autoComplete="off"
          defaultValue={terms?.model ?? ''}
          hint={modelHint(answer.data)}
        />
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

// A non-breaking space keeps the height of the hint until the models are loaded.
function modelHint(data: ModelsQuery | undefined): string {
  if (!data) return '\u00a0';
  const { usual, providers } = data.models;
  const others =
    providers.length > 0
      ? ` Other models begin with ${orList.format(providers.map((name) => `${name}/`))}.`
      : '';
  return `Default: ${usual}.${others}`;
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
