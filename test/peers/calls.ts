import fastJson from 'fast-json-stringify';
import { createAccess, type KeyRow, type RequiredKey, type SetHeader } from './access.ts';
import { HttpError, InputFault } from './errors.ts';
import { createFindKey } from './find-key.ts';
import { createListReads } from './list-reads.ts';
import type { PageRequest } from './peer.ts';
import type { Query } from './query.ts';
import {
  assistantsAnswer,
  campaignsAnswer,
  fileAnswer,
  filesAnswer,
  linksAnswer,
  parameterFault,
  redemptionsAnswer,
  teamsAnswer,
  userAnswer,
  usersAnswer,
  usersQuery,
} from './schemas.ts';
import { createUserReads } from './user-reads.ts';

type CallRequest = {
  authorization: string | undefined;
  /** The values of the path, in its order. */
  params: string[];
  /** The query string without its question mark. */
  query: string;
  origin: string;
  setHeader: SetHeader;
};
type CallInput = Omit<CallRequest, 'authorization' | 'query'> & {
  member: KeyRow;
  page: PageRequest;
};
export type Call = { path: string; answer: (request: CallRequest) => Promise<string> };

/** All JSON reads of the REST API, for servers without the validation and serialization of Fastify. */
export function createCalls(query: Query): Call[] {
  const findKey = createFindKey(query);
  const users = createUserReads(query);
  const lists = createListReads(query);

  const area = (required?: RequiredKey) => {
    const admit = createAccess(findKey, required);
    return (
      path: string,
      schema: object,
      read: (input: CallInput) => Promise<unknown>,
      { pageSize, names = [] }: { pageSize: number; names?: ParameterName[] } = { pageSize: 0 },
    ): Call => {
      const stringify = fastJson(schema);
      return {
        path,
        answer: async ({ authorization, query: text, ...request }) => {
          const member = await admit(authorization, request.setHeader);
          const page = readPage(text, names, pageSize);
          return stringify(await read({ ...request, member, page }));
        },
      };
    };
  };

  const userManagement = area();
  const sponsorship = area({
    kind: 'ORGANIZATION',
    feature: 'partnerSponsorship',
    name: 'Partner Sponsorship',
  });
  const assistants = area({ kind: 'USER', name: 'Assistants' });
  const assistantFiles = area({
    kind: 'USER',
    feature: 'assistantFiles',
    name: 'Assistant Files',
  });
  const [usersPath, campaignsPath, filesPath] = [
    '/api/user-management/v1/users',
    '/api/sponsorship/v1/campaigns',
    '/api/assistant-files/v1/assistants/:assistantId/files',
  ];
  const numbers = ['page', 'pageSize'] as const satisfies ParameterName[];

  return [
    userManagement(
      usersPath,
      usersAnswer,
      async ({ member, page }) => {
        const found = await users.listUsers(member.organizationId, page);
        const totalPages = Math.ceil(found.total / page.pageSize);
        return { status: 'success', ...found, ...page, totalPages };
      },
      { pageSize: 20, names: [...numbers, 'search'] },
    ),
    userManagement(`${usersPath}/:userId`, userAnswer, async ({ member, params }) => {
      const user = await users.getUser(member.organizationId, params[0] ?? '');
      if (!user) throw new HttpError(404, 'User not found');
      return { status: 'success', user };
    }),
    userManagement('/api/user-management/v1/teams', teamsAnswer, ({ member }) =>
      lists.teams(member.organizationId),
    ),
    sponsorship(
      campaignsPath,
      campaignsAnswer,
      ({ member, page }) => lists.campaigns(member.organizationId, page),
      { pageSize: 50, names: [...numbers] },
    ),
    sponsorship(
      `${campaignsPath}/:campaignId/links`,
      linksAnswer,
      ({ member, params, page, origin }) =>
        lists.links(member.organizationId, params[0] ?? '', page, origin),
      { pageSize: 100, names: [...numbers] },
    ),
    sponsorship(
      `${campaignsPath}/:campaignId/redemptions`,
      redemptionsAnswer,
      ({ member, params, page }) => lists.redemptions(member.organizationId, params[0] ?? '', page),
      { pageSize: 100, names: [...numbers] },
    ),
    assistants('/api/assistants/v1', assistantsAnswer, ({ member }) => lists.assistants(member)),
    assistantFiles(filesPath, filesAnswer, ({ member, params }) =>
      lists.files(member, params[0] ?? ''),
    ),
    assistantFiles(
      `${filesPath}/:documentId`,
      fileAnswer,
      async ({ member, params, setHeader }) => {
        const file = await lists.file(member, params[0] ?? '', params[1] ?? '');
        setHeader('ETag', file.etag);
        return file;
      },
    ),
  ];
}

type ParameterName = keyof typeof usersQuery.properties;

/** Validates the parameters of a list as Fastify does for the other peers. */
function readPage(query: string, names: readonly ParameterName[], pageSize: number): PageRequest {
  const page: PageRequest = { page: 1, pageSize };
  if (query === '') return page;
  const parameters = new URLSearchParams(query);
  const faults = names.flatMap((name) => {
    const values = parameters.getAll(name);
    const [value = ''] = values;
    const { pattern, maxLength = 200 }: { pattern: string; maxLength?: number } =
      usersQuery.properties[name];
    const isValid = values.length === 1 && value.length <= maxLength && value.match(pattern);
    if (values.length > 0 && !isValid)
      return [parameterFault(name, values.length > 1 ? values : value)];
    if (values.length > 0)
      Object.assign(page, { [name]: name === 'search' ? value : Number(value) });
    return [];
  });
  if (faults.length > 0) throw new InputFault(faults);
  return page;
}
