export type Migration = { name: string; script: string; checksum: string };
