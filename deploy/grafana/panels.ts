/** One chart of the dashboard: its questions to Prometheus, each with what stands in the legend. */
export type Panel = {
  title: string;
  unit: string;
  means?: string;
  queries: readonly (readonly [legend: string, query: string])[];
  stat?: true;
};
export type Row = { title: string; panels: readonly Panel[] };

const every = '[$__rate_interval]';
const requests = (labels: string) => `atrium_http_requests_total{${labels}}${every}`;
const quantile = (share: number, histogram: string, by = '') =>
  `histogram_quantile(${share}, sum by (le${by}) (rate(${histogram}${every})))`;
const api = 'job="atrium-api"';
const vault = 'job="atrium-vault"';
const duration = (job: string) => `atrium_http_request_duration_seconds_bucket{${job}}`;

/**
 * All that the dashboard shows. Workers of one process tell their figures apart by the label
 * `worker`.
 */
export const rows: readonly Row[] = [
  {
    title: 'Now',
    panels: [
      {
        title: 'API processes up',
        unit: 'short',
        stat: true,
        queries: [['up', `sum(up{${api}})`]],
      },
      {
        title: 'Database answers',
        unit: 'bool_yes_no',
        stat: true,
        queries: [['database', 'min(atrium_database_up)']],
      },
      {
        title: 'Vector database answers',
        unit: 'bool_yes_no',
        stat: true,
        queries: [['vector database', 'min(atrium_vault_vector_db_up)']],
      },
      {
        title: 'Version',
        unit: 'short',
        stat: true,
        queries: [['{{version}}', 'count by (version) (atrium_info)']],
      },
    ],
  },
  {
    title: 'Requests',
    panels: [
      {
        title: 'Requests by operation',
        unit: 'reqps',
        queries: [['{{operation}}', `sum by (operation) (rate(${requests(api)}))`]],
      },
      {
        title: 'Time to the answer',
        unit: 's',
        queries: [
          ['p50', quantile(0.5, duration(api))],
          ['p95', quantile(0.95, duration(api))],
          ['p99', quantile(0.99, duration(api))],
        ],
      },
      {
        title: 'p99 of the ten slowest operations',
        unit: 's',
        queries: [['{{operation}}', `topk(10, ${quantile(0.99, duration(api), ', operation')})`]],
      },
      {
        title: 'Share of answers with 5xx',
        unit: 'percentunit',
        means: 'What a single field of GraphQL breaks is a 200; the log has it.',
        queries: [
          [
            '5xx',
            `(sum(rate(${requests(`${api},status=~"5.."`)})) or vector(0)) / sum(rate(${requests(api)}))`,
          ],
        ],
      },
      {
        title: 'Refused by status',
        unit: 'reqps',
        queries: [['{{status}}', `sum by (status) (rate(${requests(`${api},status=~"4.."`)}))`]],
      },
      {
        title: 'Refused by a rate limit',
        unit: 'reqps',
        queries: [['{{kind}}', `sum by (kind) (rate(atrium_rate_limited_total${every}))`]],
      },
      {
        title: 'Requests in flight',
        unit: 'short',
        queries: [['{{instance}}', `sum by (instance) (atrium_http_requests_in_flight{${api}})`]],
      },
    ],
  },
  {
    title: 'Processes',
    panels: [
      {
        title: 'Processor',
        unit: 'percentunit',
        queries: [['{{job}} {{instance}} {{worker}}', `rate(process_cpu_seconds_total${every})`]],
      },
      {
        title: 'Memory',
        unit: 'bytes',
        queries: [
          ['{{job}} {{instance}} {{worker}} resident', 'process_resident_memory_bytes'],
          ['{{job}} {{instance}} {{worker}} heap', 'nodejs_heap_size_used_bytes'],
        ],
      },
      {
        title: 'Event loop lag, p99',
        unit: 's',
        queries: [['{{job}} {{instance}} {{worker}}', 'nodejs_eventloop_lag_p99_seconds']],
      },
      {
        title: 'Time in garbage collection',
        unit: 'percentunit',
        queries: [
          ['{{kind}}', `sum by (kind) (rate(nodejs_gc_duration_seconds_sum{${api}}${every}))`],
        ],
      },
      {
        title: 'Open files and sockets',
        unit: 'short',
        queries: [['{{job}} {{instance}} {{worker}}', 'process_open_fds']],
      },
    ],
  },
  {
    title: 'Database and files',
    panels: [
      {
        title: 'Connections to the database',
        unit: 'short',
        means: 'While anything waits, DATABASE_POOL is too small or the database too slow.',
        queries: [['{{state}}', 'sum by (state) (atrium_database_connections)']],
      },
      {
        title: 'Files that wait or are processed',
        unit: 'short',
        queries: [['{{status}}', 'max by (status) (atrium_files_unfinished)']],
      },
      {
        title: 'Age of the oldest of them',
        unit: 's',
        queries: [['oldest', 'max(atrium_files_oldest_seconds)']],
      },
      {
        title: 'Files processed',
        unit: 'ops',
        queries: [['{{outcome}}', `sum by (outcome) (rate(atrium_files_processed_total${every}))`]],
      },
    ],
  },
  {
    title: 'Models',
    panels: [
      {
        title: 'Calls of providers',
        unit: 'reqps',
        queries: [
          [
            '{{provider}} {{outcome}}',
            `sum by (provider, outcome) (rate(atrium_model_call_duration_seconds_count${every}))`,
          ],
        ],
      },
      {
        title: 'Time until a provider answers, p95',
        unit: 's',
        queries: [
          [
            '{{provider}}',
            quantile(0.95, 'atrium_model_call_duration_seconds_bucket', ', provider'),
          ],
        ],
      },
      {
        title: 'Tokens',
        unit: 'short',
        means: 'A second.',
        queries: [['{{kind}}', `sum by (kind) (rate(atrium_model_tokens_total${every}))`]],
      },
    ],
  },
  {
    title: 'Vault',
    panels: [
      {
        title: 'Calls by operation',
        unit: 'reqps',
        queries: [['{{operation}}', `sum by (operation) (rate(${requests(vault)}))`]],
      },
      {
        title: 'Time to the answer, p95',
        unit: 's',
        queries: [['{{operation}}', quantile(0.95, duration(vault), ', operation')]],
      },
      {
        title: 'Documents',
        unit: 'short',
        queries: [['documents', 'max(atrium_vault_documents)']],
      },
      {
        title: 'Heartbeats',
        unit: 'short',
        means: 'An hour.',
        queries: [
          ['{{outcome}}', 'sum by (outcome) (increase(atrium_vault_heartbeats_total[1h]))'],
        ],
      },
      {
        title: 'Processor',
        unit: 'percent',
        queries: [['{{instance}}', 'atrium_vault_cpu_usage_percent']],
      },
      {
        title: 'Memory',
        unit: 'percentunit',
        queries: [
          ['{{instance}}', 'atrium_vault_memory_used_bytes / atrium_vault_memory_total_bytes'],
        ],
      },
      {
        title: 'Disks, free',
        unit: 'percentunit',
        queries: [
          [
            '{{instance}} {{path}}',
            'atrium_vault_storage_free_bytes / atrium_vault_storage_total_bytes',
          ],
        ],
      },
      {
        title: 'Documents that move to another embedding',
        unit: 'short',
        queries: [
          ['moved', 'max(atrium_vault_reembedding_done)'],
          ['to move', 'max(atrium_vault_reembedding_total)'],
        ],
      },
    ],
  },
];
