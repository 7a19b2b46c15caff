public import WharfURLSession

/// The transport of a stack to which the app gives none.
///
/// - Apple platforms: `URLSessionTransport`.
/// - Linux: `URLSessionTransport`.
public typealias PlatformTransport = URLSessionTransport
