import { useGraphQuery } from '../graph/use-graph-query.ts';
import { TextArea } from '../ui/text-area.tsx';
import { TextField } from '../ui/text-field.tsx';
import { type AssistantPartsFragment, ModelsDocument, type ModelsQuery } from './documents.ts';

type Terms = Pick<
  AssistantPartsFragment,
  'name' | 'instructions' | 'model' | 'temperature' | 'stepLimit'
>;

const listed = new Intl.ListFormat('en', { type: 'disjunction' });

/** The fields of an assistant. Empty ones mean what the server does without them. */
export function TermsFields({ terms }: { terms?: Terms }) {
  const answer = useGraphQuery(ModelsDocument, {});
  return (
    <>
      <TextField
        label="Name"
        name="name"
        required
        maxLength={200}
        autoComplete="off"
        defaultValue={terms?.name}
      />
      <TextArea
        label="Instructions"
        name="instructions"
        rows={6}
        maxLength={20_000}
        defaultValue={terms?.instructions ?? ''}
        hint="What it is told before every chat: who it speaks for, how it answers, what it leaves to others."
      />
      <div className="assistants-terms">
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
          placeholder="As the provider has it"
          defaultValue={terms?.temperature ?? ''}
          hint="From 0, the same answer each time, to 2."
        />
        <TextField
          label="Step limit"
          name="stepLimit"
          type="number"
          required
          min={1}
          max={20}
          defaultValue={terms?.stepLimit ?? 5}
          hint="How often it may look something up before it must answer."
        />
      </div>
    </>
  );
}

// The line keeps its place while it is not known what to say.
function modelHint(data: ModelsQuery | undefined): string {
  if (!data) return '\u00a0';
  const { usual, providers } = data.models;
  const others =
    providers.length > 0
      ? ` Others begin with ${listed.format(providers.map((name) => `${name}/`))}.`
      : '';
  return `Left empty, it is ${usual}.${others}`;
}

/** What the fields hold, as the graph takes it. */
export function termsIn(data: FormData) {
  const text = (name: string) => String(data.get(name) ?? '').trim();
  const number = (name: string) => (text(name) === '' ? null : Number(text(name)));
  return {
    name: text('name'),
    instructions: text('instructions'),
    model: text('model') || null,
    temperature: number('temperature'),
    stepLimit: Number(text('stepLimit')),
  };
}
