export type DatabaseLog = {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
};
