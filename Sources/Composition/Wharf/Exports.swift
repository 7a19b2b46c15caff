// Re-exports the modules below, so that an app needs only `import Wharf`.
@_exported public import WharfCache
@_exported public import WharfCore
@_exported public import WharfHTTP
@_exported public import WharfJSON
// Makes `Date`, `URL` and `UUID` decodable fields of payloads.
@_exported public import WharfJSONFoundation
@_exported public import WharfOutbox
@_exported public import WharfRepository
@_exported public import WharfStores

#if canImport(Darwin)
@_exported public import WharfURLSession
#else
@_exported public import WharfCurl
#endif

#if SQLite
@_exported public import WharfSQLite
#endif
