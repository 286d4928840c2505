<#
.SYNOPSIS
Installs the agent underpass, or the daemon underpassd, from the files of a release. Needs no Node and no administrator.

.DESCRIPTION
Downloads the archive for Windows x64, verifies its SHA-256 sum, and places the program. It changes PATH of this user alone.

.PARAMETER Program
underpass (the default), underpassd, or both.

.PARAMETER Version
This version in place of the newest one.

.PARAMETER Prefix
The folder of the programs. Default: Programs\underpass below %LOCALAPPDATA%.

.PARAMETER From
Address of a folder with SHA256SUMS and the files of one release.

.EXAMPLE
.\install.ps1

.EXAMPLE
.\install.ps1 -Version 1.2.3 -Program underpass, underpassd
#>
[CmdletBinding()]
param(
    [ValidateSet('underpass', 'underpassd')]
    [string[]] $Program = @('underpass'),
    [ValidatePattern('^(v?[0-9A-Za-z.-]+)?$')]
    [string] $Version = '',
    [string] $Prefix = (Join-Path $env:LOCALAPPDATA 'Programs\underpass'),
    [string] $From = ''
)

Set-StrictMode -Version Latest
$ErrorActionPreference = 'Stop'
# The progress bar makes downloads many times slower.
$ProgressPreference = 'SilentlyContinue'
[Net.ServicePointManager]::SecurityProtocol = [Net.ServicePointManager]::SecurityProtocol -bor [Net.SecurityProtocolType]::Tls12

# A release has its own address here.
$Releases = "$env:UNDERPASS_RELEASES"
$Platform = 'win32-x64'

function Get-Folder([string] $Wanted) {
    if ($Releases -eq '') {
        throw 'This copy names no place of releases. Give -From URL, or set UNDERPASS_RELEASES.'
    }
    $Base = $Releases.TrimEnd('/')
    if ($Wanted -eq '') { return "$Base/latest/download" }
    return "$Base/download/v$Wanted"
}

# The sums come from the same place as the files, so that place is reached by TLS.
function Assert-Address([string] $Address) {
    $Uri = [Uri] $Address
    if ($Uri.Scheme -ne 'https' -and -not ($Uri.Scheme -eq 'http' -and $Uri.IsLoopback)) {
        throw "$Address is no https:// address."
    }
}

function Get-Release([string] $Address, [string] $File) {
    try {
        Invoke-WebRequest -UseBasicParsing -Uri $Address -OutFile $File
    } catch {
        throw "$Address could not be loaded: $($_.Exception.Message)"
    }
}

function Install-Program([string] $Name, [string] $Folder, [string] $Wanted) {
    $Pattern = "^([0-9a-f]{64})  ($Name-([0-9A-Za-z.-]+)-$Platform\.zip)$"
    $Line = Get-Content (Join-Path $Folder 'SHA256SUMS') | Where-Object { $_ -match $Pattern } | Select-Object -First 1
    if ($null -eq $Line) { throw "The release at $From has no $Name for $Platform." }
    if (-not ($Line -match $Pattern)) { throw "SHA256SUMS at $From cannot be read." }
    $Sum, $Archive, $Found = $Matches[1], $Matches[2], $Matches[3]
    if ($Wanted -ne '' -and $Found -ne $Wanted) { throw "The release at $From has version $Found, not $Wanted." }
    Write-Host "Loading $Name $Found for $Platform"
    $File = Join-Path $Folder $Archive
    Get-Release "$From/$Archive" $File
    if ((Get-FileHash -Algorithm SHA256 $File).Hash -ne $Sum) {
        throw "$Archive has another SHA-256 sum than SHA256SUMS. Nothing was installed of it. Try again later."
    }
    $Unpacked = Join-Path $Folder $Name
    Expand-Archive -Path $File -DestinationPath $Unpacked
    $New = Join-Path $Unpacked "$Name.exe"
    & $New --version | Out-Null
    if ($LASTEXITCODE -ne 0) { throw "$Name does not run on this machine." }
    $Target = Join-Path $Prefix "$Name.exe"
    # A program that runs cannot be replaced, but renamed.
    $Old = "$Target.old"
    if (Test-Path $Old) { Remove-Item $Old -ErrorAction SilentlyContinue }
    if (Test-Path $Target) { Move-Item -Force $Target $Old }
    Move-Item $New $Target
    if (Test-Path $Old) { Remove-Item $Old -ErrorAction SilentlyContinue }
    Write-Host "Installed $Target"
}

function Add-ToPath {
    $Current = "$([Environment]::GetEnvironmentVariable('Path', 'User'))"
    if ($Current.Split(';') -contains $Prefix) { return }
    $Parts = @($Current.Split(';') | Where-Object { $_ -ne '' }) + $Prefix
    [Environment]::SetEnvironmentVariable('Path', ($Parts -join ';'), 'User')
    $env:Path = "$env:Path;$Prefix"
    Write-Host "Added $Prefix to your PATH. Terminals that are open do not have it yet."
}

$Version = $Version -replace '^v', ''
if ($From -eq '') { $From = Get-Folder $Version }
$From = $From.TrimEnd('/')
Assert-Address $From
if (-not [Environment]::Is64BitOperatingSystem) { throw 'There is no executable for 32-bit Windows.' }
New-Item -ItemType Directory -Force $Prefix | Out-Null
$Folder = Join-Path ([IO.Path]::GetTempPath()) "underpass-$([Guid]::NewGuid())"
New-Item -ItemType Directory $Folder | Out-Null
try {
    Get-Release "$From/SHA256SUMS" (Join-Path $Folder 'SHA256SUMS')
    foreach ($One in $Program) { Install-Program $One $Folder $Version }
} finally {
    Remove-Item -Recurse -Force $Folder
}
Add-ToPath
if ($Program -contains 'underpassd') {
    Write-Host "`nSet up a server:`n`n  underpassd setup"
}
if ($Program -contains 'underpass') {
    Write-Host "`nJoin a server with the line that it printed, and publish a port:`n"
    Write-Host '  underpass login --server HOST:PORT --ca-fingerprint sha256:HEX --authtoken -'
    Write-Host '  underpass http 8080'
}
