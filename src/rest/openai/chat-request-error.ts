import { AppError } from '../../platform/errors.ts';

type Fault = { message: string; param: string; code?: 'unsupported_parameter' | 'invalid_value' };

/** A refusal that names the parameter at fault, in the form in which OpenAI's API does. */
export class ChatRequestError extends AppError {
  readonly param: string;
  readonly openAiCode: string;

  constructor({ message, param, code = 'invalid_value' }: Fault) {
    super('BAD_INPUT', message);
    this.param = param;
    this.openAiCode = code;
  }
}
