import { createServer } from 'node:http';
import { postgraphile } from 'postgraphile';
import { makePgService } from 'postgraphile/adaptors/pg';
import { grafserv } from 'postgraphile/grafserv/node';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';
import { createAccess } from './access.ts';
import { findKey, pool } from './pool.ts';

// The same tables with PostGraphile, which plans one statement for a query. Keys and limits are
// checked, but no organization is: settings for row-level security would cost it a transaction for
// each request. So its queries name the organization.
const admit = createAccess(findKey, { name: 'GraphQL' });

const preset: GraphileConfig.Preset = {
  extends: [PostGraphileAmberPreset],
  // Without it, relations whose columns are only a part of an index are missing.
  disablePlugins: ['PgIndexBehaviorsPlugin'],
  pgServices: [makePgService({ pool, schemas: ['public'] })],
  grafserv: { graphiql: false, watch: false, outputDataAsString: true },
  grafast: {
    explain: false,
    async context({ node }) {
      if (node)
        await admit(node.req.headers.authorization, (name, value) => {
          node.res.setHeader(name, value);
        });
      return {};
    },
  },
};

const server = createServer();
await postgraphile(preset).createServ(grafserv).addTo(server);
server.listen(Number(process.env['PORT']), '127.0.0.1');
