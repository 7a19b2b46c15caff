// Files with rules and decoders use the paths and decoders of these modules.
@_exported public import WharfJSON
@_exported public import WharfJSONFoundation
