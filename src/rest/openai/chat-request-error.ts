import { AppError } from '../../platform/errors.ts';

type ChatRequestFault = {
  message: string;
  param: string;
  code?: 'unsupported_parameter' | 'invalid_value';
};

/** An error that names the invalid parameter, in the format of OpenAI's API. */
export class ChatRequestError extends AppError {
  readonly param: string;
  readonly openAiCode: string;

  constructor({ message, param, code = 'invalid_value' }: ChatRequestFault) {
    super('BAD_INPUT', message);
    this.param = param;
    this.openAiCode = code;
  }
}
