#include "providers/units/known_names.hpp"

#include <algorithm>
#include <sstream>
#include <vector>

#include <fmt/format.h>

#include "core/nearest.hpp"

namespace tunekeeper {
namespace {

/// The keys of all sections (systemd.directives(7)), those of later releases too: one too many loses no more
/// than a hint.
constexpr std::string_view keys =
    "Accept AcceptFileDescriptors AccuracySec After Alias AllowIsolate AllowedCPUs AllowedMemoryNodes "
    "Also AmbientCapabilities AppArmorProfile AssertACPower AssertArchitecture AssertCPUFeature "
    "AssertCPUPressure AssertCPUs AssertCapability AssertControlGroupController AssertCredential "
    "AssertDirectoryNotEmpty AssertEnvironment AssertFileIsExecutable AssertFileNotEmpty "
    "AssertFirstBoot AssertGroup AssertHost AssertIOPressure AssertKernelCommandLine "
    "AssertKernelModuleLoaded AssertKernelVersion AssertMemory AssertMemoryPressure AssertNeedsUpdate "
    "AssertOSRelease AssertPathExists AssertPathExistsGlob AssertPathIsDirectory "
    "AssertPathIsEncrypted AssertPathIsMountPoint AssertPathIsReadWrite AssertPathIsSymbolicLink "
    "AssertSecurity AssertUser AssertVirtualization BPFDelegateAttachments BPFDelegateCommands "
    "BPFDelegateMaps BPFDelegatePrograms BPFProgram Backlog Before BindIPv6Only BindPaths "
    "BindReadOnlyPaths BindTo BindToDevice BindsTo BlockIOAccounting BlockIODeviceWeight "
    "BlockIOReadBandwidth BlockIOWeight BlockIOWriteBandwidth Broadcast BusName CPUAccounting "
    "CPUAffinity CPUPressureThresholdSec CPUPressureWatch CPUQuota CPUQuotaPeriodSec "
    "CPUSchedulingPolicy CPUSchedulingPriority CPUSchedulingResetOnFork CPUShares CPUWeight "
    "CacheDirectory CacheDirectoryAccounting CacheDirectoryMode CacheDirectoryQuota "
    "CapabilityBoundingSet CollectMode ConcurrencyHardMax ConcurrencySoftMax ConditionACPower "
    "ConditionArchitecture ConditionCPUFeature ConditionCPUPressure ConditionCPUs ConditionCapability "
    "ConditionControlGroupController ConditionCredential ConditionDirectoryNotEmpty "
    "ConditionEnvironment ConditionFileIsExecutable ConditionFileNotEmpty ConditionFirmware "
    "ConditionFirstBoot ConditionGroup ConditionHost ConditionIOPressure ConditionKernelCommandLine "
    "ConditionKernelModuleLoaded ConditionKernelVersion ConditionMemory ConditionMemoryPressure "
    "ConditionNeedsUpdate ConditionOSRelease ConditionPathExists ConditionPathExistsGlob "
    "ConditionPathIsDirectory ConditionPathIsEncrypted ConditionPathIsMountPoint "
    "ConditionPathIsReadWrite ConditionPathIsSymbolicLink ConditionSecurity ConditionUser "
    "ConditionVirtualization ConfigurationDirectory ConfigurationDirectoryMode Conflicts "
    "CoredumpFilter CoredumpReceive DebugInvocation DefaultDependencies DefaultInstance "
    "DefaultMemoryLow DefaultMemoryMin DeferAcceptSec DeferReactivation DeferTrigger "
    "DeferTriggerMaxSec Delegate DelegateSubgroup Description DeviceAllow DevicePolicy DirectoryMode "
    "DirectoryNotEmpty DisableControllers Documentation DynamicUser Environment EnvironmentFile "
    "ExecCondition ExecPaths ExecReload ExecReloadPost ExecSearchPath ExecStart ExecStartPost "
    "ExecStartPre ExecStop ExecStopPost ExecStopPre ExitType ExtensionDirectories "
    "ExtensionImagePolicy ExtensionImages ExtraOptions FailureAction FailureActionExitStatus "
    "FileDescriptorName FileDescriptorStoreMax FileDescriptorStorePreserve FinalKillSignal "
    "FixedRandomDelay FlushPending ForceUnmount FreeBind Group GuessMainPID IOAccounting "
    "IODeviceLatencyTargetSec IODeviceWeight IOPressureThresholdSec IOPressureWatch "
    "IOReadBandwidthMax IOReadIOPSMax IOSchedulingClass IOSchedulingPriority IOWeight "
    "IOWriteBandwidthMax IOWriteIOPSMax IPAccounting IPAddressAllow IPAddressDeny IPCNamespacePath "
    "IPEgressFilterPath IPIngressFilterPath IPTOS IPTTL IgnoreOnIsolate IgnoreSIGPIPE "
    "ImportCredential InaccessibleDirectories InaccessiblePaths JobRunningTimeoutSec JobTimeoutAction "
    "JobTimeoutRebootArgument JobTimeoutSec JoinsNamespaceOf KeepAlive KeepAliveIntervalSec "
    "KeepAliveProbes KeepAliveTimeSec KeyringMode KillMode KillSignal LazyUnmount LimitAS LimitCORE "
    "LimitCPU LimitDATA LimitFSIZE LimitLOCKS LimitMEMLOCK LimitMSGQUEUE LimitNICE LimitNOFILE "
    "LimitNPROC LimitRSS LimitRTPRIO LimitRTTIME LimitSIGPENDING LimitSTACK ListenDatagram ListenFIFO "
    "ListenMessageQueue ListenNetlink ListenSequentialPacket ListenSpecial ListenStream "
    "ListenUSBFunction LoadCredential LoadCredentialEncrypted LockPersonality LogExtraFields "
    "LogLevelMax LogNamespace LogRateLimitBurst LogRateLimitIntervalSec LogsDirectory "
    "LogsDirectoryAccounting LogsDirectoryMode LogsDirectoryQuota MakeDirectory "
    "ManagedOOMMemoryPressure ManagedOOMMemoryPressureDurationSec ManagedOOMMemoryPressureLimit "
    "ManagedOOMPreference ManagedOOMSwap Mark MaxConnections MaxConnectionsPerSource MemoryAccounting "
    "MemoryDenyWriteExecute MemoryHigh MemoryKSM MemoryLimit MemoryLow MemoryMax MemoryMin "
    "MemoryPressureThresholdSec MemoryPressureWatch MemorySwapMax MemoryTHP MemoryZSwapMax "
    "MemoryZSwapWriteback MessageQueueMaxMessages MessageQueueMessageSize MountAPIVFS MountFlags "
    "MountImagePolicy MountImages NFTSet NUMAMask NUMAPolicy NetworkNamespacePath Nice NoDelay "
    "NoExecPaths NoNewPrivileges NonBlocking NotifyAccess OOMPolicy OOMScoreAdjust OnActiveSec "
    "OnBootSec OnCalendar OnClockChange OnFailure OnFailureIsolate OnFailureJobMode OnStartupSec "
    "OnSuccess OnSuccessJobMode OnTimezoneChange OnUnitActiveSec OnUnitInactiveSec OpenFile Options "
    "PAMName PIDFile PartOf PassCredentials PassEnvironment PassFileDescriptorsToExec PassPacketInfo "
    "PassSecurity PathChanged PathExists PathExistsGlob PathModified PermissionsStartOnly Persistent "
    "Personality PipeSize PollLimitBurst PollLimitIntervalSec Priority PrivateBPF PrivateDevices "
    "PrivateIPC PrivateMounts PrivateNetwork PrivatePIDs PrivateTmp PrivateUsers ProcSubset "
    "PropagateReloadFrom PropagateReloadTo PropagatesReloadTo PropagatesStopTo ProtectClock "
    "ProtectControlGroups ProtectHome ProtectHostname ProtectKernelLogs ProtectKernelModules "
    "ProtectKernelTunables ProtectProc ProtectSystem RandomizedDelaySec RandomizedOffsetSec "
    "ReadOnlyDirectories ReadOnlyPaths ReadWriteDirectories ReadWriteOnly ReadWritePaths "
    "RebootArgument ReceiveBuffer RefuseManualStart RefuseManualStop ReloadPropagatedFrom "
    "ReloadSignal RemainAfterElapse RemainAfterExit RemoveIPC RemoveOnStop RequiredBy Requires "
    "RequiresMountsFor RequiresOverridable Requisite RequisiteOverridable Restart "
    "RestartForceExitStatus RestartKillSignal RestartMaxDelaySec RestartMode RestartPreventExitStatus "
    "RestartSec RestartSteps RestrictAddressFamilies RestrictFileSystems RestrictNamespaces "
    "RestrictNetworkInterfaces RestrictRealtime RestrictSUIDSGID ReusePort RootDirectory "
    "RootDirectoryStartOnly RootEphemeral RootHash RootHashSignature RootImage RootImageOptions "
    "RootImagePolicy RootVerity RuntimeDirectory RuntimeDirectoryMode RuntimeDirectoryPreserve "
    "RuntimeMaxSec RuntimeRandomizedExtraSec SELinuxContext SELinuxContextFromNet SecureBits "
    "SendBuffer SendSIGHUP SendSIGKILL Service SetCredential SetCredentialEncrypted "
    "SetLoginEnvironment Slice SloppyOptions SmackLabel SmackLabelIPIn SmackLabelIPOut "
    "SmackProcessLabel SocketBindAllow SocketBindDeny SocketGroup SocketMode SocketProtocol "
    "SocketUser Sockets SourcePath StandardError StandardInput StandardInputData StandardInputText "
    "StandardOutput StartLimitAction StartLimitBurst StartLimitInterval StartLimitIntervalSec "
    "StartupAllowedCPUs StartupAllowedMemoryNodes StartupBlockIOWeight StartupCPUShares "
    "StartupCPUWeight StartupIOWeight StartupMemoryHigh StartupMemoryLow StartupMemoryMax "
    "StartupMemorySwapMax StartupMemoryZSwapMax StateDirectory StateDirectoryAccounting "
    "StateDirectoryMode StateDirectoryQuota StopPropagatedFrom StopWhenUnneeded SuccessAction "
    "SuccessActionExitStatus SuccessExitStatus SupplementaryGroups SurviveFinalKillSignal Symlinks "
    "SyslogFacility SyslogIdentifier SyslogLevel SyslogLevelPrefix SystemCallArchitectures "
    "SystemCallErrorNumber SystemCallFilter SystemCallLog TCPCongestion TTYColumns TTYPath TTYReset "
    "TTYRows TTYVHangup TTYVTDisallocate TasksAccounting TasksMax TemporaryFileSystem TimeoutAbortSec "
    "TimeoutCleanSec TimeoutIdleSec TimeoutSec TimeoutStartFailureMode TimeoutStartSec "
    "TimeoutStopFailureMode TimeoutStopSec TimerSlackNSec Timestamping Transparent TriggerLimitBurst "
    "TriggerLimitIntervalSec Type UMask USBFunctionDescriptors USBFunctionStrings Unit "
    "UnsetEnvironment Upholds User UserNamespacePath UtmpIdentifier UtmpMode WakeSystem WantedBy "
    "Wants WantsMountsFor WatchdogSec WatchdogSignal What Where WorkingDirectory Writable ";

const std::vector<std::string>& known_keys() {
  static const std::vector<std::string> known = [] {
    std::istringstream words{std::string(keys)};
    std::vector<std::string> list;
    for (std::string word; words >> word;) list.push_back(word);
    return list;
  }();
  return known;
}

bool is_private(std::string_view name) {
  return name.substr(0, 2) == "X-";
}

bool contains(const std::vector<std::string>& list, std::string_view name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

}  // namespace

std::optional<std::string> unit_section_problem(std::string_view section) {
  static const std::vector<std::string> sections{"Unit",  "Service", "Install", "Socket", "Mount",    "Timer",
                                                 "Slice", "Scope",   "Path",    "Swap",   "Automount"};
  if (is_private(section) || contains(sections, section)) return std::nullopt;
  return fmt::format("a unit file has no section \"{}\"{}", section, did_you_mean(section, sections));
}

std::optional<std::string> unit_key_problem(std::string_view key) {
  if (is_private(key) || contains(known_keys(), key)) return std::nullopt;
  const auto meant = did_you_mean(key, known_keys());
  if (meant.empty()) return std::nullopt;
  return fmt::format("systemd knows no key \"{}\"{}", key, meant);
}

}  // namespace tunekeeper
