import type { LinksQuery } from '../documents.ts';

export type LinkRow = LinksQuery['links']['items'][number];
