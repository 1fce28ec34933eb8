import { Component, type ReactNode } from 'react';
import { PageFailure } from '../../ui/page-failure';

interface Props {
  readonly children: ReactNode;
}

interface State {
  readonly failure?: { readonly error: unknown };
}

/** Replaces a page that threw during rendering by an error. */
export class FailureBoundary extends Component<Props, State> {
  override state: State = {};

  static getDerivedStateFromError(error: unknown): State {
    return { failure: { error } };
  }

  override render(): ReactNode {
    return this.state.failure ? <PageFailure error={this.state.failure.error} /> : this.props.children;
  }
}
