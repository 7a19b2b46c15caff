// Every child task sees an overridden value.
import WharfDependencies

#if CORRECTED
final class Session: Sendable {}
#else
final class Session {}
#endif

enum SessionKey: DependencyKey {  // expect-error: type 'Session' does not conform to the 'Sendable' protocol
    static var unimplemented: Session { Session() }
}
