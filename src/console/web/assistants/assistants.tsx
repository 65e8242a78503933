import { Route, Switch } from 'wouter';
import { NotFound } from '../frame/not-found.tsx';
import { AssistantList } from './assistant-list.tsx';
import { AssistantPage } from './assistant-page.tsx';
import { NewAssistant } from './new/new-assistant.tsx';
import './assistants.css';

export function Assistants() {
  return (
    <Switch>
      <Route path="/" component={AssistantList} />
      <Route path="/new" component={NewAssistant} />
      <Route path="/:assistantId" nest>
        {({ assistantId }) => <AssistantPage key={assistantId} assistantId={assistantId} />}
      </Route>
      <Route component={NotFound} />
    </Switch>
  );
}
