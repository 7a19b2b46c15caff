// `import Wharf` is all that an app needs.
@_exported public import WharfCache
@_exported public import WharfCore
@_exported public import WharfHTTP
@_exported public import WharfJSON
// A payload's fields are dates, URLs and UUIDs as often as numbers.
@_exported public import WharfJSONFoundation
@_exported public import WharfOutbox
@_exported public import WharfRepository
@_exported public import WharfStores
@_exported public import WharfURLSession

#if SQLite
@_exported public import WharfSQLite
#endif
