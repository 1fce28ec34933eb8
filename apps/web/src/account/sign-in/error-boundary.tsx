import { Component, type ReactNode } from 'react';
import { ErrorPage } from '../../ui/error-page';

interface Props {
  readonly children: ReactNode;
}

interface State {
  readonly failure?: { readonly error: unknown };
}

/** Shows an error instead of a page that threw during rendering. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = {};

  static getDerivedStateFromError(error: unknown): State {
    return { failure: { error } };
  }

  override render(): ReactNode {
    return this.state.failure ? <ErrorPage error={this.state.failure.error} /> : this.props.children;
  }
}
