import { Card } from '../ui/card.tsx';
import { Table } from '../ui/table.tsx';

const kinds = [
  {
    name: 'User key',
    prefix: 'sk_svc_',
    allows:
      'Assistants, Assistant Files, OpenAI clients and GraphQL, with the permissions of its owner',
    createdBy: 'every member',
  },
  {
    name: 'Organization key',
    prefix: 'sk_svc_um_',
    allows: 'User Management, Partner Sponsorship and GraphQL, for the organization',
    createdBy: 'administrators',
  },
];

export function KeyKinds() {
  return (
    <Card title="Keys">
      <Table
        caption="The two kinds of keys"
        rows={kinds}
        keyOf={({ name }) => name}
        columns={[
          { title: 'Key', cell: ({ name }) => <strong>{name}</strong> },
          {
            title: 'Prefix',
            cell: ({ prefix }) => <code className="developers-prefix">{prefix}</code>,
          },
          { title: 'Allows', cell: ({ allows }) => allows },
          { title: 'Created by', cell: ({ createdBy }) => createdBy },
        ]}
      />
      <p className="quiet">
        A key is shown once, when it is created, and is sent as <code>Authorization: Bearer …</code>
        . Do not store it in code that others can read. A leaked key stops working as soon as you
        revoke it.
      </p>
    </Card>
  );
}
