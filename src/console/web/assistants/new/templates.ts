import { t } from '../../texts/text.ts';
import type { AssistantTerms } from '../terms-fields.tsx';

type Template = Pick<
  AssistantTerms,
  'name' | 'description' | 'instructions' | 'starterQuestions' | 'color'
>;

const templates = (): readonly Template[] => [
  {
    name: t('templates.handbook'),
    description: t('templates.handbookDescription'),
    instructions: t('templates.handbookInstructions'),
    starterQuestions: [
      t('templates.handbookQuestion1'),
      t('templates.handbookQuestion2'),
      t('templates.handbookQuestion3'),
    ],
    color: 'BLUE',
  },
  {
    name: t('templates.support'),
    description: t('templates.supportDescription'),
    instructions: t('templates.supportInstructions'),
    starterQuestions: [
      t('templates.supportQuestion1'),
      t('templates.supportQuestion2'),
      t('templates.supportQuestion3'),
    ],
    color: 'GREEN',
  },
  {
    name: t('templates.contracts'),
    description: t('templates.contractsDescription'),
    instructions: t('templates.contractsInstructions'),
    starterQuestions: [
      t('templates.contractsQuestion1'),
      t('templates.contractsQuestion2'),
      t('templates.contractsQuestion3'),
    ],
    color: 'PURPLE',
  },
  {
    name: t('templates.research'),
    description: t('templates.researchDescription'),
    instructions: t('templates.researchInstructions'),
    starterQuestions: [
      t('templates.researchQuestion1'),
      t('templates.researchQuestion2'),
      t('templates.researchQuestion3'),
    ],
    color: 'TEAL',
  },
  {
    name: t('templates.writing'),
    description: t('templates.writingDescription'),
    instructions: t('templates.writingInstructions'),
    starterQuestions: [
      t('templates.writingQuestion1'),
      t('templates.writingQuestion2'),
      t('templates.writingQuestion3'),
    ],
    color: 'ORANGE',
  },
  {
    name: t('templates.onboarding'),
    description: t('templates.onboardingDescription'),
    instructions: t('templates.onboardingInstructions'),
    starterQuestions: [
      t('templates.onboardingQuestion1'),
      t('templates.onboardingQuestion2'),
      t('templates.onboardingQuestion3'),
    ],
    color: 'PINK',
  },
];

/** Assistants to begin with. They have the default model. */
export const assistantTemplates = (): readonly AssistantTerms[] =>
  templates().map((template) => ({
    ...template,
    starterQuestions: [...template.starterQuestions],
    model: null,
    temperature: null,
    stepLimit: 5,
  }));
