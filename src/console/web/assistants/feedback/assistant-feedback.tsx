import { partOf, useGraphQuery } from '../../graph/use-graph.ts';
import { formatDate, formatNumber } from '../../texts/format.ts';
import { t, withTexts } from '../../texts/text.ts';
import { Chart } from '../../ui/charts/chart.tsx';
import { DialogButton } from '../../ui/dialog.tsx';
import { SelectField } from '../../ui/fields.tsx';
import { displayName } from '../../ui/labels.ts';
import { Card, Figure, Figures } from '../../ui/page.tsx';
import { Badge, EmptyState, Loaded } from '../../ui/status.tsx';
import { PagedTable } from '../../ui/table.tsx';
import { useFilter } from '../../ui/use-filter.ts';
import { SharedTexts } from '../chat/feedback-dialog.tsx';
import {
  AssistantFeedbackDocument,
  type AssistantFeedbackQuery,
  type FeedbackMark,
  FeedbackSummaryDocument,
  type FeedbackSummaryQuery,
} from '../documents.ts';
import { reasonLabels } from './feedback-labels.ts';
import '../chat/feedback.css';

type ReceivedFeedback = AssistantFeedbackQuery['assistantFeedback']['nodes'][number];

const choices = [
  { value: 'all', label: 'feedback.all' },
  { value: 'good', label: 'feedback.onlyGood' },
  { value: 'bad', label: 'feedback.onlyBad' },
] as const;

/** What people think of the answers of an assistant, for those who may change it. */
export function AssistantFeedback({ assistantId }: { assistantId: string }) {
  const summary = useGraphQuery(
    FeedbackSummaryDocument,
    { assistantId },
    { typenames: ['FeedbackSummary'] },
  );
  return (
    <>
      <Loaded answer={partOf(summary, ({ assistantFeedbackSummary }) => assistantFeedbackSummary)}>
        {(counts) => <Summary {...counts} />}
      </Loaded>
      <FeedbackList assistantId={assistantId} />
    </>
  );
}

function Summary({ good, bad, weeks }: FeedbackSummaryQuery['assistantFeedbackSummary']) {
  if (good + bad === 0) return null;
  return (
    <>
      <Figures>
        <Figure label={t('feedback.goodAnswers')} value={good} />
        <Figure label={t('feedback.badAnswers')} value={bad} />
        <Figure
          label={t('feedback.goodShare')}
          value={formatNumber(good / (good + bad), { style: 'percent' })}
        />
      </Figures>
      <Card title={t('feedback.byWeek')}>
        <Chart
          title={t('feedback.byWeek')}
          pointTitle={t('feedback.week')}
          isCount
          series={[
            { key: 'good', label: t('feedback.goodSeries'), colour: 2 },
            { key: 'bad', label: t('feedback.badSeries'), colour: 3 },
          ]}
          points={weeks.map(({ from, ...values }) => ({
            ...{ key: from, label: dayOf(from, { day: 'numeric', month: 'short' }), values },
          }))}
        />
      </Card>
    </>
  );
}

function FeedbackList({ assistantId }: { assistantId: string }) {
  const { filter, set, page, setPage } = useFilter(['mark']);
  const { mark: choice = 'all' } = filter;
  const mark = markOf(choice);
  const answer = useGraphQuery(
    AssistantFeedbackDocument,
    { assistantId, page, mark },
    { typenames: ['AssistantFeedback'] },
  );
  return (
    <Card title={t('feedback.feedback')}>
      <p className="quiet">{t('feedback.listHint')}</p>
      <div className="toolbar">
        <SelectField
          label={t('feedback.show')}
          options={withTexts(choices)}
          value={choice}
          onValue={(value) => set('mark', value === 'all' ? '' : value)}
        />
      </div>
      <PagedTable
        caption={t('feedback.caption')}
        answer={partOf(answer, ({ assistantFeedback }) => assistantFeedback)}
        page={page}
        pageSize={20}
        onPage={setPage}
        empty={
          mark === null ? (
            <EmptyState title={t('feedback.none')}>{t('feedback.noneHint')}</EmptyState>
          ) : (
            <EmptyState title={t('feedback.noneMatching')}>
              {t('feedback.noneMatchingHint')}
            </EmptyState>
          )
        }
        columns={[
          {
            title: t('feedback.day'),
            cell: ({ givenOn }) => (
              <time dateTime={givenOn}>{dayOf(givenOn, { dateStyle: 'medium' })}</time>
            ),
          },
          { title: t('feedback.mark'), cell: (row) => <Mark {...row} /> },
          {
            title: t('feedback.comment'),
            cell: ({ comment }) =>
              comment === '' ? (
                <span className="quiet">{t('feedback.noComment')}</span>
              ) : (
                <span className="feedback-text">{comment}</span>
              ),
          },
          {
            title: t('feedback.from'),
            cell: ({ user }) =>
              user ? displayName(user) : <span className="quiet">{t('feedback.anonymous')}</span>,
          },
          { title: t('feedback.conversation'), align: 'end', cell: (row) => <Shared {...row} /> },
        ]}
      />
    </Card>
  );
}

const markOf = (choice: string): FeedbackMark | null =>
  choice === 'good' ? 'GOOD' : choice === 'bad' ? 'BAD' : null;

/** A day as a text. It is a day in UTC, so the person's time zone must not move it. */
const dayOf = (day: string, options: Intl.DateTimeFormatOptions): string =>
  formatDate(new Date(day), { ...options, timeZone: 'UTC' });

const Mark = ({ mark, reason }: ReceivedFeedback) =>
  mark === 'GOOD' ? (
    <Badge tone="good">{t('feedback.goodSeries')}</Badge>
  ) : (
    <span>
      <Badge tone="bad">{t('feedback.badSeries')}</Badge>
      {reason && <div className="hint">{t(reasonLabels[reason])}</div>}
    </span>
  );

/** The question and the answer, if the person shares them. */
function Shared({ question, answer, user, givenOn }: ReceivedFeedback) {
  if (question === null || answer === null)
    return <span className="quiet">{t('feedback.private')}</span>;
  const name = user ? displayName(user) : t('feedback.anonymous');
  return (
    <DialogButton
      kind="quiet"
      label={t('feedback.showShared')}
      subject={t('feedback.sharedOf', { day: dayOf(givenOn, { dateStyle: 'medium' }) })}
      title={t('feedback.sharedBy', { name })}
      wide
    >
      {() => <SharedTexts question={question} answer={answer} />}
    </DialogButton>
  );
}
