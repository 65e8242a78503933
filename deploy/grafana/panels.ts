/** One chart of the dashboard with its Prometheus queries and their legends. */
export type DashboardPanel = {
  title: string;
  unit: string;
  description?: string;
  queries: readonly (readonly [legend: string, query: string])[];
  stat?: true;
};
export type DashboardRow = { title: string; panels: readonly DashboardPanel[] };

const rateInterval = '[$__rate_interval]';
const requests = (labels: string) => `atrium_http_requests_total{${labels}}${rateInterval}`;
const quantile = (share: number, histogram: string, by = '') =>
  `histogram_quantile(${share}, sum by (le${by}) (rate(${histogram}${rateInterval})))`;
const api = 'job="atrium-api"';
const vault = 'job="atrium-vault"';
const duration = (job: string) => `atrium_http_request_duration_seconds_bucket{${job}}`;

/** The content of the dashboard. The label `worker` distinguishes the workers of one process. */
export const rows: readonly DashboardRow[] = [
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
        title: 'Response time',
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
        title: 'Share of 5xx responses',
        unit: 'percentunit',
        description: 'An error in a single GraphQL field has status 200; it is in the log.',
        queries: [
          [
            '5xx',
            `(sum(rate(${requests(`${api},status=~"5.."`)})) or vector(0)) / sum(rate(${requests(api)}))`,
          ],
        ],
      },
      {
        title: 'Rejected requests by status',
        unit: 'reqps',
        queries: [['{{status}}', `sum by (status) (rate(${requests(`${api},status=~"4.."`)}))`]],
      },
      {
        title: 'Requests rejected by a rate limit',
        unit: 'reqps',
        queries: [['{{kind}}', `sum by (kind) (rate(atrium_rate_limited_total${rateInterval}))`]],
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
        title: 'CPU',
        unit: 'percentunit',
        queries: [
          ['{{job}} {{instance}} {{worker}}', `rate(process_cpu_seconds_total${rateInterval})`],
        ],
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
          [
            '{{kind}}',
            `sum by (kind) (rate(nodejs_gc_duration_seconds_sum{${api}}${rateInterval}))`,
          ],
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
        description: 'If requests wait, DATABASE_POOL is too small or the database too slow.',
        queries: [['{{state}}', 'sum by (state) (atrium_database_connections)']],
      },
      {
        title: 'Files waiting or being processed',
        unit: 'short',
        queries: [['{{status}}', 'max by (status) (atrium_files_unfinished)']],
      },
      {
        title: 'Age of the oldest unfinished file',
        unit: 's',
        queries: [['oldest', 'max(atrium_files_oldest_seconds)']],
      },
      {
        title: 'Files processed',
        unit: 'ops',
        queries: [
          ['{{outcome}}', `sum by (outcome) (rate(atrium_files_processed_total${rateInterval}))`],
        ],
      },
    ],
  },
  {
    title: 'Models',
    panels: [
      {
        title: 'Provider calls',
        unit: 'reqps',
        queries: [
          [
            '{{provider}} {{outcome}}',
            `sum by (provider, outcome) (rate(atrium_model_call_duration_seconds_count${rateInterval}))`,
          ],
        ],
      },
      {
        title: 'Provider response time, p95',
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
        description: 'Per second.',
        queries: [['{{kind}}', `sum by (kind) (rate(atrium_model_tokens_total${rateInterval}))`]],
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
        title: 'Response time, p95',
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
        description: 'Per hour.',
        queries: [
          ['{{outcome}}', 'sum by (outcome) (increase(atrium_vault_heartbeats_total[1h]))'],
        ],
      },
      {
        title: 'CPU',
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
        title: 'Free disk space',
        unit: 'percentunit',
        queries: [
          [
            '{{instance}} {{path}}',
            'atrium_vault_storage_free_bytes / atrium_vault_storage_total_bytes',
          ],
        ],
      },
      {
        title: 'Documents being re-embedded',
        unit: 'short',
        queries: [
          ['moved', 'max(atrium_vault_reembedding_done)'],
          ['to move', 'max(atrium_vault_reembedding_total)'],
        ],
      },
    ],
  },
];
