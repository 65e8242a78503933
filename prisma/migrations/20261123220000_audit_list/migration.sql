-- The list of the audit log leaves out what is written for each run and each processed file, unless a reader asks for it.
create index audit_entries_list on audit_entries (organization_id, at desc, id desc)
  where action not in ('complete-run', 'fail-run', 'complete-file', 'fail-file');
