/**
 * A query of ours in the schema that PostGraphile makes of the tables, and the function that makes
 * our answer of its answer, which a client of it would do.
 */
export type PostgraphileQuery = { query: string; toOurs: (data: never) => unknown };

type List<Node> = { nodes: Node[]; totalCount: number };

const isoTime = (time: string) => new Date(time).toISOString();

type MembershipNode = {
  role: string;
  userCreatedAt: string;
  acceptedAt: string | null;
  givenFirstName: string;
  givenLastName: string;
  user: {
    rowId: string;
    email: string;
    firstName: string;
    lastName: string;
    lastLogin: string | null;
  };
  teams: List<{ team: { rowId: string; name: string; isDefault: boolean; nameKey: string } }>;
};

export const usersQuery = (organizationId: string, pageSize: number): PostgraphileQuery => ({
  query: `{ allMemberships(condition: { organizationId: "${organizationId}" }, orderBy: [USER_CREATED_AT_DESC, USER_ID_DESC], first: ${pageSize}) {
    totalCount
    nodes {
      role userCreatedAt acceptedAt givenFirstName givenLastName
      user: userByUserIdAndUserCreatedAt { rowId email firstName lastName lastLogin }
      teams: teamMembershipsByOrganizationIdAndUserId { nodes { team: teamByTeamIdAndOrganizationId { rowId name isDefault nameKey } } }
    }
  } }`,
  toOurs: ({ allMemberships }: { allMemberships: List<MembershipNode> }) => ({
    users: {
      nodes: allMemberships.nodes.map(({ user, teams, acceptedAt, ...member }) => {
        const showsOwnNames = acceptedAt !== null && user.firstName + user.lastName !== '';
        return {
          id: user.rowId,
          email: user.email,
          firstName: showsOwnNames ? user.firstName : member.givenFirstName,
          lastName: showsOwnNames ? user.lastName : member.givenLastName,
          createdAt: isoTime(member.userCreatedAt),
          lastLogin:
            acceptedAt === null || user.lastLogin === null ? null : isoTime(user.lastLogin),
          isAdmin: member.role === 'ADMIN',
          teams: teams.nodes
            .map(({ team }) => team)
            .sort(
              (a, b) =>
                Number(b.isDefault) - Number(a.isDefault) || (a.nameKey < b.nameKey ? -1 : 1),
            )
            .map(({ rowId, name }) => ({ id: rowId, name })),
        };
      }),
      totalCount: allMemberships.totalCount,
      page: 1,
      pageSize,
      totalPages: Math.ceil(allMemberships.totalCount / pageSize),
    },
  }),
});

type LinkNode = {
  rowId: string;
  name: string;
  token: string;
  isActive: boolean;
  passwordHash: string | null;
  createdAt: string;
};
type TeamNode = { rowId: string; name: string; members: { totalCount: number } };

export const linksQuery = (
  organizationId: string,
  campaignId: string,
  pageSize: number,
): PostgraphileQuery => ({
  query: `{
    allLinks(condition: { campaignId: "${campaignId}", organizationId: "${organizationId}" }, orderBy: [CREATED_AT_DESC, ROW_ID_DESC], first: ${pageSize}) {
      nodes { rowId name token isActive passwordHash createdAt }
      totalCount
    }
    allTeams(condition: { organizationId: "${organizationId}" }, orderBy: [CREATED_AT_DESC, ROW_ID_DESC]) {
      nodes { rowId name members: teamMembershipsByTeamIdAndOrganizationId { totalCount } }
    }
  }`,
  toOurs: ({ allLinks, allTeams }: { allLinks: List<LinkNode>; allTeams: List<TeamNode> }) => ({
    links: {
      nodes: allLinks.nodes.map(({ rowId, name, token, isActive, passwordHash, createdAt }) => ({
        id: rowId,
        name,
        url: `http://own/auth?sponsored=${token}`,
        isActive,
        hasPassword: passwordHash !== null,
        createdAt: isoTime(createdAt),
      })),
      totalCount: allLinks.totalCount,
    },
    teams: {
      nodes: allTeams.nodes.map(({ rowId, name, members }) => ({
        id: rowId,
        name,
        memberCount: members.totalCount,
      })),
    },
  }),
});

type AssistantNode = {
  rowId: string;
  name: string;
  files: List<{
    rowId: string;
    originalName: string;
    size: number | string;
    createdAt: string;
    status: string;
    hash: string;
  }>;
};

/** The assistants that are shared with this person alone, which all of the benchmark are. */
export const assistantsQuery = (organizationId: string, userId: string): PostgraphileQuery => ({
  query: `{ allAssistantShares(condition: { organizationId: "${organizationId}", userId: "${userId}" }) { nodes {
    level
    assistant: assistantByAssistantIdAndOrganizationId {
      rowId name createdAt
      files: assistantFilesByAssistantIdAndOrganizationId(orderBy: [CREATED_AT_DESC, ROW_ID_DESC]) {
        nodes { rowId originalName size createdAt status hash }
      }
    }
  } } }`,
  toOurs: ({
    allAssistantShares,
  }: {
    allAssistantShares: List<{ level: string; assistant: AssistantNode & { createdAt: string } }>;
  }) => ({
    assistants: {
      nodes: allAssistantShares.nodes
        .toSorted(
          ({ assistant: a }, { assistant: b }) =>
            b.createdAt.localeCompare(a.createdAt) || (b.rowId < a.rowId ? -1 : 1),
        )
        .map(({ level, assistant: { rowId, name, files } }) => ({
          id: rowId,
          name,
          myLevel: level,
          files: {
            nodes: files.nodes.map((file) => ({
              id: file.rowId,
              originalName: file.originalName,
              size: Number(file.size),
              createdAt: isoTime(file.createdAt),
              processingStatus: file.status,
              hash: file.hash,
            })),
          },
        })),
    },
  }),
});
