import type { TeamRow } from '../teams/team.ts';

/** A row of the view `members`: a user as one organization sees them. */
export type Member = {
  organizationId: string;
  id: string;
  email: string;
  firstName: string;
  lastName: string;
  createdAt: string;
  lastLogin: string | null;
  isAdmin: boolean;
  teams: TeamRow[];
};
