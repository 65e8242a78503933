import { z } from 'zod';
import { flag, fromEnvironment, number, text, webAddress } from './config-file.ts';

const daySeconds = 86_400;
export const defaultCacheMb = 640;

const seconds = (defaultValue: number) =>
  number(z.int().min(0).max(daySeconds)).default(defaultValue);
const count = (defaultValue: number, max: number) =>
  number(z.int().min(1).max(max)).default(defaultValue);

const logging = z
  .strictObject({
    heartbeat_url: fromEnvironment(webAddress()).optional(),
    heartbeat_interval_minutes: number(z.number().min(0).max(10_080)).default(1),
    system_monitoring_interval: seconds(60),
    storage_monitoring_interval: seconds(300),
    database_monitoring_interval: seconds(60),
    log_to_file: flag().default(false),
  })
  .prefault({})
  .transform((section) => ({
    heartbeatUrl: section.heartbeat_url,
    heartbeatIntervalMinutes: section.heartbeat_interval_minutes,
    /** These three intervals are in seconds; 0 switches the monitoring off. */
    systemMonitoringInterval: section.system_monitoring_interval,
    storageMonitoringInterval: section.storage_monitoring_interval,
    databaseMonitoringInterval: section.database_monitoring_interval,
    logToFile: section.log_to_file,
  }));

const vectorDb = z
  .strictObject({
    location: text(z.string().min(1)).optional(),
    storage_options: z.record(z.string(), text(z.string())).default({}),
    cache_mb: count(defaultCacheMb, 65_536),
  })
  .prefault({})
  .transform(({ location, storage_options, cache_mb }) => ({
    location,
    storageOptions: storage_options,
    cacheMb: cache_mb,
  }));

const embeddings = z
  .strictObject({
    provider: text(z.enum(['hashing', 'openai', 'local'])).default('hashing'),
    model: text(z.string().min(1)).optional(),
    base_url: text(webAddress()).optional(),
    api_key: fromEnvironment(z.string()).optional(),
    dimensions: number(z.int().min(16).max(4096)).optional(),
  })
  .prefault({})
  .transform(({ provider, model, base_url, api_key, dimensions }) => ({
    provider,
    model,
    baseUrl: base_url,
    apiKey: api_key,
    dimensions,
  }));

const rerank = z
  .strictObject({
    url: text(webAddress()),
    model: text(z.string().min(1)).optional(),
    api_key: fromEnvironment(z.string()).optional(),
  })
  .transform(({ url, model, api_key }) => ({ url, model, apiKey: api_key }))
  .optional();

const extraction = z
  .strictObject({
    time_seconds: count(300, 3600),
    memory_mb: count(512, 65_536),
    unpacked_mb: count(1024, 65_536),
    pages_max: count(20_000, 1_000_000),
    parts_max: count(10_000, 1_000_000),
    text_mb: count(256, 1_024),
    passages_max: count(200_000, 10_000_000),
    workers: count(3, 64),
    ocr: flag().default(true),
    ocr_pages_max: count(200, 1_000_000),
    ocr_seconds: count(1200, 86_400),
    ocr_megapixels_max: count(40, 1_000),
  })
  .prefault({})
  .transform((section) => ({
    timeSeconds: section.time_seconds,
    memoryMb: section.memory_mb,
    unpackedMb: section.unpacked_mb,
    pagesMax: section.pages_max,
    partsMax: section.parts_max,
    textMb: section.text_mb,
    passagesMax: section.passages_max,
    workers: section.workers,
    ocr: section.ocr,
    ocrPagesMax: section.ocr_pages_max,
    ocrSeconds: section.ocr_seconds,
    ocrMegapixelsMax: section.ocr_megapixels_max,
  }));

const rateLimit = z
  .strictObject({ requests_per_minute: count(60_000, 1_000_000) })
  .prefault({})
  .transform((section) => ({ requestsPerMinute: section.requests_per_minute }));

/** All sections of the settings file. */
export const configFile = z
  .strictObject({
    logging,
    vector_db: vectorDb,
    embeddings,
    rerank,
    extraction,
    rate_limit: rateLimit,
  })
  .transform(({ vector_db, rate_limit, ...sections }) => ({
    ...sections,
    vectorDb: vector_db,
    rateLimit: rate_limit,
  }));

export type FileConfig = z.output<typeof configFile>;
