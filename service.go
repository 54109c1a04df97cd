package brunt

import "context"

// Service is a part of an App that runs until it is told to stop, or until it is
// done: a server, a consumer, a job. Its methods are called from different goroutines.
type Service interface {
	// Serve runs the Service until Shutdown stops it, until it fails or, for a Service
	// that finishes by itself such as a job, until it is done. It returns nil when
	// Shutdown stopped it or it finished. It is called once.
	//
	// ctx is done as soon as the App begins to stop, which is before Shutdown is
	// called: by the App's drain delay, and by the Services that stop first. A server
	// goes on serving in that time and must not make ctx the context of its requests;
	// context.WithoutCancel(ctx) is. ctx carries no baggage, so it never carries a
	// scenario. Its cause says why the App stops.
	Serve(ctx context.Context) error

	// Shutdown makes Serve return: in good order, and when ctx is done at the latest,
	// which is when the App's grace period ends. It returns once nothing of the
	// Service runs any more, or ctx's error. It is called at most once, possibly
	// before Serve has got to do anything, and not at all once Serve has returned.
	Shutdown(ctx context.Context) error
}
